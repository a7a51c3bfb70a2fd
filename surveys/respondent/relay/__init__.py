"""Oblivious HTTP (RFC 9458). The relay sees who sends a report but not its content. The gateway in the intake sees the
content but not the sender."""
