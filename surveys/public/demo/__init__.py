"""The demo: a survey whose answers are public, sent as browsers would send them, so that estimates meet the truth."""
