"""What a survey is: its definition, kinds of question and mechanisms."""
