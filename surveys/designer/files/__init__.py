"""Drafts as files: our own JSON, in and out, and the templates that new surveys begin with."""
