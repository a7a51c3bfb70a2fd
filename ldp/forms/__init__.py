"""Forms: parts of a questionnaire of which each browser draws one before it asks (M34b to M36b, M39)."""
