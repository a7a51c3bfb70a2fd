"""A page names a too large file beside its field before sending it. Typed text stays."""

import http.client
from urllib.parse import urlsplit

import pytest

from tests.support.factories import DRAFT
from tests.support.studio import begun_draft

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


def test_a_file_that_is_too_large_is_not_sent_and_the_form_stays(system, context):
    _, cookie = begun_draft(system, DRAFT)
    context.add_cookies([cookie])
    page = context.new_page()
    page.goto(f"{system.url}/surveys/new/")
    field = page.get_by_label("A draft or a form")
    field.set_input_files({"name": "a.json", "mimeType": "application/json", "buffer": b" " * (5 << 20)})
    asked = []
    page.on("request", lambda request: asked.append(request.method))
    page.get_by_role("button", name="Begin with this file").click()
    assert "too large: at most 2.0" in page.get_by_role("alert").inner_text() and "POST" not in asked
    field.set_input_files({"name": "a.json", "mimeType": "application/json", "buffer": b"{}"})
    assert page.get_by_role("alert").count() == 0


@pytest.mark.parametrize(("accept", "kind"), [("text/html,*/*", "text/html"), ("*/*", "application/problem+json")])
def test_a_browser_is_told_so_in_a_page_and_a_program_in_json(system, accept, kind):
    with system.connect() as connection:
        head = f"POST /surveys/new/ HTTP/1.1\r\nHost: {urlsplit(system.url).netloc}\r\nAccept: {accept}\r\n"
        connection.sendall(f"{head}Content-Length: 5000000\r\n\r\n".encode())
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 413 and answer.headers["Content-Type"].startswith(kind)
