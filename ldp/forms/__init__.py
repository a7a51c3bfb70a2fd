"""Forms: parts of a questionnaire; each browser draws one before the first question (M34b to M36b, M39)."""
