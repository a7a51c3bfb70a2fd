"""The builder for a designer: a draft, and a page's fields as a browser would send them."""

import copy
import html
import re
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from surveys.life.lifecycle import begin_draft
from surveys.models import Membership, Revision, Role, Survey
from tests.support.factories import DRAFT

FRAGMENTS = {"X-Fragments": "1"}


def signed_in(name: str = "ada") -> Client:
    client = Client()
    client.force_login(User.objects.get_or_create(username=name)[0])
    return client


def begun(draft: Any = DRAFT, *names: str) -> Survey:
    """Return Ada's draft; the users with these names are its other designers."""
    survey = begin_draft(User.objects.get_or_create(username="ada")[0], copy.deepcopy(draft))
    for name in names:
        user = User.objects.get_or_create(username=name)[0]
        Membership.objects.create(survey=survey, user=user, role=Role.DESIGNER)
    return survey


def with_question(**fields: Any) -> Survey:
    question = {"key": "q1", "kind": "yes_no", "text": "Well?", "alpha": "1"} | fields
    return begun({"title": "One", "questions": [question]})


def url(survey: Survey, key: str = "") -> str:
    return f"/surveys/{survey.pk}/questions/" + (f"{key}/" if key else "")


def form(client: Client, address: str) -> dict[str, str]:
    """Return the fields of the page's form as a browser would send them."""
    page = client.get(address).content.decode()
    part = page[page.index('<form id="part"') : page.index("</form>", page.index('<form id="part"'))]
    fields = {}
    for tag, text in re.findall(r"<(input|textarea)([^>]*(?:>\n[^<]*(?=</textarea))?)", part):
        name = re.search(r'name="(\w+)"', text)
        if tag == "textarea":
            assert name is not None
            fields[name[1]] = unescaped(text.partition(">\n")[2])
        elif name and 'type="checkbox"' not in text:
            fields[name[1]] = unescaped((re.search(r'value="([^"]*)"', text) or ["", ""])[1])
        elif name and " checked" in text:
            fields[name[1]] = "on"
    for name, options in re.findall(r'<select name="(\w+)"(.*?)</select>', part, re.DOTALL):
        fields[name] = (re.search(r'value="(\w*)" selected', options) or ["", ""])[1]
    return {name: text for name, text in fields.items() if name != "csrfmiddlewaretoken"}


def unescaped(text: str) -> str:
    return html.unescape(text)


def questions(survey: Survey) -> Any:
    return Survey.objects.get(pk=survey.pk).draft["questions"]


def errors(page: str, field: str) -> list[str] | None:
    """Return the messages beside a field."""
    found = re.search(rf'id="e-{field}"[^>]*>(.*?)</div>', page, re.DOTALL)
    return [unescaped(text) for text in re.findall(r"<p[^>]*>(.*?)</p>", found[1])] if found else None


def undo(client: Client, survey: Survey, **fields: Any) -> Any:
    """Undo the last change of the signed-in user."""
    step = Revision.objects.filter(survey=survey, user=client.session["_auth_user_id"]).last()
    sent = {"step": step.pk if step else "", "do": "undo", "back": url(survey)} | fields
    return client.post(f"/surveys/{survey.pk}/undo/", sent)
