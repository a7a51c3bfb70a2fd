"""The measured claims, each one command. See README.md."""
