"""Split questionnaires: forms are parts of a questionnaire, and each browser draws one (M34b to M36b, M39)."""
