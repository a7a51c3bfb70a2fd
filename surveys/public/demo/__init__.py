"""The demo: a survey with public answers, sent as browsers would send them, to compare estimates with the truth."""
