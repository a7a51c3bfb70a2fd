"""The parts of a survey: its definition, kinds of question and mechanisms."""
