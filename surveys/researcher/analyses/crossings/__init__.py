"""Two questions of a release crossed: asking for it, the page, the picture, the files."""
