"""The REST API, and its OpenAPI description."""
