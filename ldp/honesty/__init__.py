"""What anchors tell of attention and honesty: questions of which a right answer, or a true share, is known (M42).

Shares corrected for those who did not pay attention (attention), what is published of them (document), a share against
one that is publicly known (known), and how wide a corrected share will be before anybody answers (power). Lying passes
any channel: of it only such anchors tell anything.
"""
