"""The move of an ended survey to another site."""
