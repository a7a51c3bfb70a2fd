"""Attention and honesty from anchors: questions with a known right answer or a known true share (M42).

`attention` corrects shares for inattentive respondents and plans their widths, `document` publishes them, and `known`
compares a share with a publicly known one. Lies pass any channel: only anchors reveal them.
"""
