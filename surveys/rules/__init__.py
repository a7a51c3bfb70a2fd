"""The rules that drafts and definitions are held to: limits, texts, numbers, and how a broken rule is told."""
