"""The builder: where a designer writes a survey's texts and questions, at /surveys/<number>/questions/.

What is typed is stored as it was typed, right or wrong; what is wrong is said beside it. Every change is made to what
stands there at that moment (surveys/drafts/store.py), so that several people may work on one draft.
"""
