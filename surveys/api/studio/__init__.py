"""The API of the studio: drafts, privacy, opening and closing, people, evidence, jobs."""
