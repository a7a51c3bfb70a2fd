"""The privacy page of a survey: the meaning, costs and gains of its alphas."""
