"""Numbers, sentences and pictures of estimates."""
