"""What keeps the respondents' page from asking anything: each prepares a page of a survey for it."""

import hashlib
from collections.abc import Callable

from playwright.sync_api import Page, Route

from tests.support.respondents import Survey, finds_no_network

Prepare = Callable[[Page, Survey], None]


def _weaker(content: bytes) -> bytes:
    return content.replace(b'"alpha":"1"', b'"alpha":"0.5"')


def _otherwise(fitting: bool) -> Prepare:
    """Serves a changed definition; fitting: with a page that takes it for the right one."""

    def prepare(page: Page, survey: Survey) -> None:
        served: dict[str, str] = {}

        def definition(route: Route) -> None:
            route.fulfill(body=changed(route.fetch().body()))

        def changed(content: bytes) -> bytes:
            served["digest"] = hashlib.sha256(_weaker(content)).hexdigest()
            return _weaker(content)

        def shell(route: Route) -> None:
            response = route.fetch()
            changed(page.request.get(f"{survey.api}/definition").body())
            route.fulfill(response=response, body=response.text().replace(survey.digest, served["digest"]))

        page.route("**/definition", definition)
        if fitting:
            page.route("**/s/*/", shell)

    return prepare


def _without_definition(page: Page, survey: Survey) -> None:
    page.route("**/definition", finds_no_network)


def _with_a_stuck_generator(page: Page, survey: Survey) -> None:
    page.add_init_script("crypto.getRandomValues = (array) => array;")


def _without_a_secure_connection(page: Page, survey: Survey) -> None:
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false });")


STOPPED: dict[str, Prepare] = {
    "the definition does not arrive": _without_definition,
    "it is another one": _otherwise(fitting=False),
    "it does not keep its alpha": _otherwise(fitting=True),
    "random numbers are not working": _with_a_stuck_generator,
    "the connection is open to others": _without_a_secure_connection,
}
