"""Attention and honesty from anchors: questions with a known right answer, or a known true share (M42).

Shares corrected for inattentive respondents (attention), their published document (document), a share against a
publicly known one (known), and the expected width of a corrected share before anyone answers (power). Lies pass any
channel: only anchors reveal them.
"""
