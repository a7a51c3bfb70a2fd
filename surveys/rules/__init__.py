"""The rules for drafts and definitions: limits, texts, numbers, and the refusals that name a broken rule."""
