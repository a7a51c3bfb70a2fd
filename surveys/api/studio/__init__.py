"""The studio for programs: drafts, privacy, opening and closing, people, evidence, jobs."""
