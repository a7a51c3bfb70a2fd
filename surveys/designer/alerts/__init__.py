"""Alerts by email and webhook: a survey opened or ended, has its first release or the wanted precision, or has failed.
They are sent at full hours and never name a report (docs/developers/protection.md)."""
