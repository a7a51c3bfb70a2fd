"""Oblivious HTTP (RFC 9458): the relay sees who sends a report but not its content; the gateway in the intake sees the
content but not who sends it."""
