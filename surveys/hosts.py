"""Which names the site answers to."""

from django.conf import settings
from django.http.request import split_domain_port, validate_host


def known_host(host: str) -> bool:
    """Whether a request's Host header names this site, by the rule that Django holds its own pages to."""
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
