"""The builder: designers write a survey's texts and questions here, at /surveys/<number>/questions/.

Text is stored as typed, right or wrong; problems are shown beside it. Every change applies to the present draft
(surveys/drafts/store.py), so several people may work on one draft.
"""
