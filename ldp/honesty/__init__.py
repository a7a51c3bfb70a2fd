"""Attention and honesty from anchors: questions with a known right answer, or a known true share (M42).

Shares corrected for inattentive respondents, and their expected width before anyone answers (attention); their
published document (document); a share against a publicly known one (known). Lies pass any channel: only anchors reveal
them.
"""
