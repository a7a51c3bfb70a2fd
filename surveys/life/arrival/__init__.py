"""The rules of surveys/arrival.py, by what they are about."""
