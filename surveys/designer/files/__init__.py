"""Drafts as files: our JSON, for import and export, and the templates for new surveys."""
