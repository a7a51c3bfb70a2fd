"""Alerts by email and webhook: a survey opened or ended, has its first release or the wanted precision, or its work
failed. Alerts are sent at full hours and never name a report (docs/developers/protection.md)."""
