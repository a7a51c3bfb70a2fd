"""The whole system on one machine: its parts, started, watched and ended together."""
