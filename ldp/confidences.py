"""Confidence levels of intervals in documents and on pages."""

CONFIDENCES = (0.9, 0.95, 0.99)
USUAL = 0.95
OTHERS = tuple(confidence for confidence in CONFIDENCES if confidence != USUAL)
PERCENTS = tuple(round(100 * confidence) for confidence in CONFIDENCES)
