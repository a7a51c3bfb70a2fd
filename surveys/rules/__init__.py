"""The rules for drafts and definitions: limits, texts, numbers, and refusals that name a broken rule."""
