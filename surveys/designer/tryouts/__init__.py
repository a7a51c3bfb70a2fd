"""Test answers to a draft: the respondents' page on it sends its report here, apart from all that is counted."""
