"""What a release's anchors tell of attention and honesty: shares corrected by an attention question's right answer, and
a share against one that is publicly known."""
