"""Alerts: emails and webhooks about a survey. An alert reports that the survey opened, ended, has its first release or
the wanted precision, or that something failed. Alerts are sent at full hours and never name a report
(docs/developers/protection.md)."""
