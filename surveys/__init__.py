"""The Django site: what is asked, what is received, and what is shown."""

__version__ = "0.1.0"
