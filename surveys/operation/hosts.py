"""Host names of the site, and the pages that each host serves.

Respondents' pages are only at the host of SITE_URL. With STAFF_URL the pages with accounts have another host. Cookies
belong to one host, so a hole in one host's pages is no hole in the other's.
"""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.http.request import split_domain_port, validate_host

from surveys.operation.logging import QUESTIONS

ACCOUNTS = re.compile(r"/account(?:/|$)")
# URLs that count their clients in memory. Definitions do not, because people fetch them to check a survey.
COUNTED = re.compile(r"/(?:account|try)(?:/|$)|/api/v1/(?!surveys/[^/]*/definition$)")
STAFF = re.compile(r"/(?:admin|surveys|account)(?:/|$)")
RESPONDENTS = re.compile(
    rf"{QUESTIONS.pattern}|/respond/(?:definition|invitations|reports|signature)$|/api/v1/surveys/[^/]*/(?:reports|signature)$"
    r"|/\.well-known/ohttp-gateway$"
)


def known_host(host: str) -> bool:
    """Return whether a Host header names this site, by Django's rule."""
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def is_staff_host(host: str) -> bool:
    """Return whether this is STAFF_URL's host; False if STAFF_URL is unset."""
    return settings.STAFF_HOST is not None and split_domain_port(host)[0] == split_domain_port(settings.STAFF_HOST)[0]


class SeparateHosts:
    """Keep the pages of both hosts apart. With STAFF_URL, staff's URLs are 404 at any other host, where no cookie
    counts except the language and its CSRF token. Staff's host accepts no reports.

    A survey's page at any host but SITE_URL's redirects there before it asks. A browser remembers sent reports by host,
    so a person could otherwise answer once at each host."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if QUESTIONS.match(request.path_info) and not is_site_host(request):
            return _elsewhere(request)
        if settings.STAFF_HOST is not None:
            if is_staff_host(request.get_host()):
                if RESPONDENTS.match(request.path_info):
                    return _elsewhere(request)
            else:
                for name in request.COOKIES.keys() - {settings.LANGUAGE_COOKIE_NAME, settings.CSRF_COOKIE_NAME}:
                    del request.COOKIES[name]
                if STAFF.match(request.path_info):
                    raise Http404("This page does not exist.")
        return self.get_response(request)


def is_site_host(request: HttpRequest) -> bool:
    """Return whether the request came to the host of SITE_URL exactly; for a browser "a.org." is not "a.org". Ports are
    not compared, because a proxy may leave them out."""
    try:
        return urlsplit(f"//{request.get_host()}").hostname == urlsplit(settings.SITE_URL).hostname
    except DisallowedHost:
        return False


def _elsewhere(request: HttpRequest) -> HttpResponseBase:
    if request.method not in ("GET", "HEAD"):
        raise Http404("Reports are sent to the respondents' host.")
    return HttpResponseRedirect(settings.SITE_URL + request.get_full_path())
