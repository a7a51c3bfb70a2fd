"""The page of a survey's alphas: what each means, costs and buys."""
