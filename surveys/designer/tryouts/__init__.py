"""Tryouts of a draft. The respondents' page sends test answers here, and no count includes them."""
