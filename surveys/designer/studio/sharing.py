"""Sharing an open survey: its link, a code for cameras, texts to paste."""

import io
from typing import NamedTuple

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_POST, require_safe

from surveys.access import doer, requires
from surveys.designer.studio import frames, links, versions
from surveys.designer.studio.pages import page
from surveys.figures.strengths import may_ask_for_trust
from surveys.life import actions
from surveys.models import Role, Survey
from surveys.rules.languages import direction, site_language
from surveys.rules.names import name_of
from surveys.survey.definition import frame_hosts
from surveys.survey.definition.languages import languages_of, title_in
from surveys.web.tabs import by_invitation

SCALE, QUIET = 8, 4  # pixels of a module; modules of white margin, which cameras need


@require_safe
@requires(Role.DESIGNER)
def share(request: HttpRequest, survey: Survey) -> HttpResponse:
    if survey.state != Survey.State.OPEN:
        return redirect("survey", survey.pk)
    if by_invitation(survey):
        return redirect("survey-invitations", survey.pk)
    holders, tags = survey.definition.get(frame_hosts.FIELD, []), languages_of(survey.definition)
    context = {
        "link": links.respondents(survey),
        "texts": [_in(survey, tag, len(tags) == 1) for tag in tags],
        "holders": holders,
        "warnings": frames.warnings(holders),
        "typed_at": links.typed_at(),
    }
    return page(request, survey, "designer/share.html", context | versions.beside(survey, doer(request)))


@require_POST
@requires(Role.DESIGNER)
def typed(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Give the survey a code to type, or remove the code."""
    actions.let_type(survey, doer(request), "take" not in request.POST)
    return redirect("survey-share", survey.pk)


@require_safe
@requires(Role.DESIGNER)
def code(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the link as a QR code. It is dark on white in all colour schemes, because cameras need that."""
    if not survey.slug:
        raise Http404
    out = io.BytesIO()
    drawn = segno.make(links.respondents(survey), error="m", micro=False)
    drawn.save(out, kind="svg", scale=SCALE, border=QUIET, dark="#000", light="#fff", title=survey.title)
    response = HttpResponse(out.getvalue(), content_type="image/svg+xml")
    kind = "attachment" if "download" in request.GET else "inline"
    response["Content-Disposition"] = f'{kind}; filename="survey-{survey.pk}.svg"'
    return response


class ShareTexts(NamedTuple):
    """Texts for sharing the survey in one of its languages. `suffix` makes the ids of its fields unique. `words` is the
    language of the site's words in them, `direction` the direction of that language."""

    name: str
    suffix: str
    words: str
    direction: str
    is_spoken: bool
    mail: str
    embed: str
    frame: str


def _in(survey: Survey, tag: str, alone: bool) -> ShareTexts:
    """Return the texts for sharing in this language. If the survey has other languages, the link names this one."""
    words, title = site_language(tag), title_in(survey.definition, tag)
    link = links.respondents(survey, "" if alone else tag)
    with override(words):
        mail, embed = _mail(survey, link, tag), _embed(survey, link, tag)
    is_spoken = words == tag.split("-")[0]
    suffix = "" if alone else f"-{tag}"
    return ShareTexts(name_of(tag), suffix, words, direction(words), is_spoken, mail, embed, frames.html(link, title))


def _mail(survey: Survey, link: str, tag: str = "") -> str:
    """Return a letter to paste. It asks for trust only where the page does."""
    trust = _(
        "Your browser randomizes your answers before it sends anything, so a report may differ from your answers. "
        "Please answer truthfully: the randomizing protects you. The page shows how much a report can reveal about "
        "you, and lets you check that. It asks for no name, address or account."
    )
    caution = _(
        "Your browser randomizes your answers before it sends anything. Still, a report can reveal much about your "
        "answers. The page shows how much before it asks, and lets you check that. Take part only if you accept "
        "what a report can reveal. It asks for no name, address or account."
    )
    return _(
        "You are invited to take part in the survey “%(title)s”.\n\n%(link)s\n\n%(why)s\n\nPlease answer once."
    ) % {
        "title": title_in(survey.definition, tag),
        "link": link,
        "why": trust if may_ask_for_trust(survey.definition) else caution,
    }


def _embed(survey: Survey, link: str, tag: str = "") -> str:
    """Return the HTML of a link that opens a new window. The page with the link cannot access that window."""
    text = _("Take part: %(title)s") % {"title": title_in(survey.definition, tag)}
    return f'<a href="{escape(link)}" target="_blank" rel="noopener noreferrer">{escape(text)}</a>'
