"""What designers do in the studio, for programs: drafts, privacy, opening and closing, people, evidence, jobs."""
