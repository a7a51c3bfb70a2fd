"""The rules of surveys/transfer/arrival.py, by what they are about."""
