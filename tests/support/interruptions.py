"""Obstacles that stop the respondents' page before its first question. Each prepares a page of a survey."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.support.respondents import Survey, finds_no_network

Prepare = Callable[[Page, Survey], None]


def _weaker(content: bytes) -> bytes:
    return content.replace(b'"alpha":"1"', b'"alpha":"0.5"')


def _otherwise(page: Page, survey: Survey) -> None:
    """Serve a changed definition."""
    page.route("**/definition", lambda route: route.fulfill(body=_weaker(route.fetch().body())))


def _without_definition(page: Page, survey: Survey) -> None:
    page.route("**/definition", finds_no_network)


def _without_survey(page: Page, survey: Survey) -> None:
    page.route("**/definition", lambda route: route.fulfill(status=404, content_type="application/problem+json"))


def _with_a_stuck_generator(page: Page, survey: Survey) -> None:
    page.add_init_script("crypto.getRandomValues = (array) => array;")


def _without_a_secure_connection(page: Page, survey: Survey) -> None:
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false });")


STOPPED: dict[str, Prepare] = {
    "the definition does not arrive": _without_definition,
    "no survey has the link": _without_survey,
    "it does not keep its alpha": _otherwise,
    "random numbers are not working": _with_a_stuck_generator,
    "the connection is open to others": _without_a_secure_connection,
}
