DIGEST, OTHER = "a" * 64, "b" * 64  # of the surveys of a book
