"""The REST API for programs, and its OpenAPI description."""
