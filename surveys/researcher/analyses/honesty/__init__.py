"""Attention and honesty as a release's anchors show them: shares corrected by an attention question's right answer, and
a share against one that is publicly known."""
