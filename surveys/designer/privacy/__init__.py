"""The page of a survey's alphas: their meaning, their costs and their gains."""
