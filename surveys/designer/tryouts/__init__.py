"""Trying a draft: test answers, which the respondents' page on it sends here, apart from all that is counted."""
