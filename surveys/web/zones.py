"""Time zones. The studio shows times in the account's zone, or in UTC if it has none, with the zone's name.

The first page that a browser opens gives an account the browser's zone (static/designer/zone.js). The account page
changes it. The API, documents and files use UTC.
"""

import re
import zoneinfo
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo

from django import template
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.formats import date_format, time_format

from surveys.figures.typed import ZONE
from surveys.models import Profile

register = template.Library()

# Other pages, such as results, are the same for every reader.
LOCAL = re.compile(r"/(?:surveys|account)/")
# The zones to choose from. A browser may name others.
NAMES = ["UTC", *sorted(name for name in zoneinfo.available_timezones() if "/" in name and name[:4] != "Etc/")]


class ChooseZone:
    """Show the studio's pages in the account's zone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        name = zone_of(request) if LOCAL.match(request.path_info) else ""
        token = ZONE.set(_named(name))
        try:
            return self.get_response(request)
        finally:
            ZONE.reset(token)


def _named(name: str) -> tzinfo:
    """Return the zone with this name, or UTC for no name or an unknown one."""
    try:
        return zoneinfo.ZoneInfo(name) if name else UTC
    except zoneinfo.ZoneInfoNotFoundError:
        return UTC


def zone_of(request: HttpRequest) -> str:
    """Return the zone of the signed-in account; "" if it has none."""
    if not request.user.is_authenticated:
        return ""
    return Profile.objects.filter(user=request.user.pk).values_list("zone", flat=True).first() or ""


def is_zone(name: str) -> bool:
    return name in zoneinfo.available_timezones()


@register.filter
def moment(at: datetime) -> str:
    """Return a day and time in the page's zone, with its name, and its offset if clocks show the time twice."""
    shown = at.astimezone(ZONE.get())
    return f"{date_format(shown, 'DATETIME_FORMAT')} {_zone(shown)}"


@register.filter
def day(at: datetime) -> str:
    """Return the day in the page's zone."""
    return str(date_format(at.astimezone(ZONE.get())))


@register.filter
def clock(at: datetime) -> str:
    """Return the time with the zone's name, and with the day unless it is today."""
    shown, now = at.astimezone(ZONE.get()), timezone.now().astimezone(ZONE.get())
    return f"{time_format(shown)} {_zone(shown)}" if shown.date() == now.date() else moment(at)


def _zone(shown: datetime) -> str:
    twice = shown.utcoffset() != shown.replace(fold=1 - shown.fold).utcoffset()
    return f"{shown.tzinfo} ({shown:%z})" if twice else str(shown.tzinfo)


@register.simple_tag(takes_context=True)
def zone_unknown(context: template.RequestContext) -> bool:
    """Return whether the page should give the account its browser's zone."""
    request = context["request"]
    return request.user.is_authenticated and not zone_of(request)
