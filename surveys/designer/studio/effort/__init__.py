"""What a survey asks of those who answer: how long it takes, and how hard its texts are to read. Hints."""
