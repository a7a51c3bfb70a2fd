"""Which names the site answers to, and which of its pages at which name.

Respondents are asked at the name of SITE_URL only. With STAFF_URL the pages that know accounts have a host of their
own. Cookies are a host's own, so a hole in one host's pages is none in the other's.
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
# What counts its clients in memory. Whoever checks a survey asks for definitions: of them nothing is told.
COUNTED = re.compile(r"/(?:account|try)(?:/|$)|/api/v1/(?!surveys/[^/]*/definition$)")
STAFF = re.compile(r"/(?:admin|surveys|account)(?:/|$)")
RESPONDENTS = re.compile(
    rf"{QUESTIONS.pattern}|/respond/(?:definition|invitations|reports|signature)$|/api/v1/surveys/[^/]*/(?:reports|signature)$"
    r"|/\.well-known/ohttp-gateway$"
)


def known_host(host: str) -> bool:
    """Whether a request's Host header names this site, by the rule that Django holds its own pages to."""
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def is_staff_host(host: str) -> bool:
    """Whether it names the host of STAFF_URL; False where there is none."""
    return settings.STAFF_HOST is not None and split_domain_port(host)[0] == split_domain_port(settings.STAFF_HOST)[0]


class SeparateHosts:
    """With STAFF_URL: 404 for staff's addresses at any other host, and no cookie counts there but a reader's language
    and what proves that its choice is theirs; at staff's host no report is taken.

    Always: at any name but the one of SITE_URL a survey's page leads there before it asks anything. A browser keeps for
    each name by itself what it has sent, and would be asked once at each."""

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
                    raise Http404("There is nothing at this address.")
        return self.get_response(request)


def is_site_host(request: HttpRequest) -> bool:
    """Whether it came by the name of SITE_URL, to the letter: a browser tells "a.org." from "a.org". Ports are not
    compared, since a proxy may leave them out."""
    try:
        return urlsplit(f"//{request.get_host()}").hostname == urlsplit(settings.SITE_URL).hostname
    except DisallowedHost:
        return False


def _elsewhere(request: HttpRequest) -> HttpResponseBase:
    if request.method not in ("GET", "HEAD"):
        raise Http404("Reports are sent to the respondents' host.")
    return HttpResponseRedirect(settings.SITE_URL + request.get_full_path())
