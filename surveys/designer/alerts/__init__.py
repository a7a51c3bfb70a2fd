"""Alerts: emails and webhooks that say when a survey opened, has its first release, is as precise as it waits for, has
ended, and when something is wrong. Never of a report, and at full hours only (docs/developers/protection.md)."""
