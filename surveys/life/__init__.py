"""What becomes of a survey beside opening and closing: dates, publication, the archive, new versions, deletion."""
