"""The confidences of intervals: those of every published document, which are also those that pages offer."""

CONFIDENCES = (0.9, 0.95, 0.99)
USUAL = 0.95
OTHERS = tuple(confidence for confidence in CONFIDENCES if confidence != USUAL)
PERCENTS = tuple(round(100 * confidence) for confidence in CONFIDENCES)
