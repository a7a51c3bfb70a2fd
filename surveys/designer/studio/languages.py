"""The languages of a draft: its own language, and a form for each translation beside the original. Incomplete
translations are stored and reported before the survey can open. The list is below the draft's texts."""

from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys import drafts
from surveys.access import requires
from surveys.designer.studio import sentences
from surveys.designer.studio.pages import page
from surveys.drafts import Changed, NotDraft, mark, presets
from surveys.drafts.normalize import normalize
from surveys.models import Role, Survey
from surveys.rules.context import Context
from surveys.rules.draft import Draft
from surveys.rules.languages import direction, is_tag, page_tag
from surveys.rules.limits import LANGUAGES_MAX
from surveys.rules.names import known, name_of, of_the_page
from surveys.rules.refusals import RuleBreach
from surveys.rules.unchecked import as_object
from surveys.survey import definition as definitions
from surveys.survey.definition.languages import language_of
from surveys.survey.definition.translation_texts import Slot, slots, text_at, translation


class TranslationLine(NamedTuple):
    """A text, its translation, and the error. `missing`: it is only not translated yet."""

    slot: Slot
    text: str
    problem: str
    missing: bool
    heading: str

    @property
    def rows(self) -> int:
        return min(8, 2 + len(self.slot.original) // 60)


class TranslationState(NamedTuple):
    tag: str
    name: str
    lacking: int
    wrong: int


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def languages(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the survey's languages, or with ?to= the form of a translation. A POST changes the list or stores the
    translation."""
    tag = request.GET.get("to", "")
    if survey.is_draft:
        normalize(survey.draft)
    if request.method == "POST":
        try:
            return _act(request, survey)
        except NotDraft:
            messages.error(request, _("This survey has been opened. Its texts are frozen, so this was not saved."))
            return redirect("survey-asked", survey.pk)
    if tag in _translations(survey.draft) and survey.is_draft:
        return _form(request, survey, tag)
    return redirect("survey-texts", survey.pk)


# Pages ----------------------------------------------------------------------------------------------------------------


def listed(survey: Survey) -> Context:
    """Return the context of designer/languages.html: the survey's language and its translations."""
    given, own = _translations(survey.draft), _language(survey.draft)
    refusals = definitions.refusals(survey.draft)
    states = [
        TranslationState(tag, name_of(tag), *(len(part) for part in _sorted(_about(refusals, tag))))
        for tag in sorted(given)
    ]
    return {
        "own": own,
        "own_name": name_of(own),
        "own_words": page_tag(own) == own or own.split("-")[0] == page_tag(own).split("-")[0],
        "page_names": _(", ").join(of_the_page()),
        "known": known() if own in known() else {own: own} | known(),
        "translations": states,
        "addable": {tag: name for tag, name in known().items() if tag != own and tag not in given},
    }


def _form(request: HttpRequest, survey: Survey, tag: str, typed: dict[str, str] | None = None) -> HttpResponse:
    draft = survey.draft
    texts = _translations(draft).get(tag, {})
    named = ((one.field.removeprefix(f"translations.{tag}."), one) for one in _about(definitions.refusals(draft), tag))
    refused = {name.replace("[", ".").replace("]", ""): one for name, one in reversed(list(named))}
    lines, heading = [], ""
    for slot in slots(draft):
        text = typed.get(slot.name, "") if typed is not None else text_at(texts, slot.path)
        refusal = refused.get(slot.name) or (refused.get(slot.name.rpartition(".")[0]) if slot.path[-1] == 0 else None)
        now = _heading(slot)
        lines.append(TranslationLine(slot, text, *_problem(refusal), now if now != heading else ""))
        heading = now
    own = _language(draft)
    context = {
        "tag": tag,
        "name": name_of(tag),
        "tag_direction": direction(tag),
        "own": own,
        "own_name": name_of(own),
        "own_direction": direction(own),
        "lines": lines,
        "lacking": sum(line.missing for line in lines),
        "mark": mark(texts),
    }
    return page(request, survey, "designer/translation.html", context | {"current": "survey-texts"})


def _heading(slot: Slot) -> str:
    if len(slot.path) == 1:
        return _("The survey")
    words = _("Section %(number)d") if slot.path[0] == "sections" else _("Question %(number)d")
    return words % {"number": int(slot.path[1]) + 1}


# Posted forms ---------------------------------------------------------------------------------------------------------


def _act(request: HttpRequest, survey: Survey) -> HttpResponse:
    form, back = request.POST, redirect(reverse("survey-texts", args=[survey.pk]) + "#languages")
    tag = form.get("tag", "")
    if "save" in form:
        return _save(request, survey, tag)
    if not is_tag(tag):
        messages.error(request, _("Choose a language."))
    elif "own" in form:
        drafts.change(survey, request.user, lambda draft: _set_language(draft, tag))
        messages.success(request, _("The survey's own texts are in %(language)s.") % {"language": name_of(tag)})
    elif "add" in form:
        drafts.change(survey, request.user, lambda draft: _add(draft, tag))
        return redirect(_address(survey, tag))
    elif "remove" in form:
        drafts.change(survey, request.user, lambda draft: _remove(draft, tag))
    return back


def _save(request: HttpRequest, survey: Survey, tag: str) -> HttpResponse:
    typed = {name: str(text).replace("\r\n", "\n").strip() for name, text in request.POST.items()}

    def put(draft: Draft) -> str:
        given = _translations(draft)
        if mark(given.get(tag, {})) != request.POST.get("mark") or not (tag in given or _is_addable(draft, tag)):
            raise Changed
        draft["translations"] = given | {tag: translation(draft, typed)}
        return _("Changed the translation into %(language)s.") % {"language": name_of(tag)}

    try:
        survey = drafts.change(survey, request.user, put)
    except Changed:
        survey.refresh_from_db()
        normalize(survey.draft)
        sentence = _("Someone else changed this in the meantime. Nothing was saved; save again to replace theirs.")
        if tag not in _translations(survey.draft):
            if not _is_addable(survey.draft, tag):
                messages.error(request, _("Choose a language."))
                return redirect("survey-texts", survey.pk)
            sentence = _("Someone else has removed this translation. Nothing was saved. Save again to bring it back.")
        messages.error(request, sentence)
        return _form(request, survey, tag, typed)
    messages.success(request, _("Saved."))
    return redirect(_address(survey, tag))


def _set_language(draft: Draft, tag: str) -> str:
    draft["language"] = tag
    draft["translations"] = {each: texts for each, texts in _translations(draft).items() if each != tag}
    _tidy(draft)
    return _("The survey's own texts are in %(language)s.") % {"language": name_of(tag)}


def _add(draft: Draft, tag: str) -> str:
    if _is_addable(draft, tag):
        draft["translations"] = _translations(draft) | {tag: translation(draft, presets.translations(draft, tag))}
    return _("Added a translation into %(language)s.") % {"language": name_of(tag)}


def _is_addable(draft: Draft, tag: str) -> bool:
    given = _translations(draft)
    return is_tag(tag) and tag != _language(draft) and tag not in given and len(given) < LANGUAGES_MAX - 1


def _remove(draft: Draft, tag: str) -> str:
    draft["translations"] = {each: texts for each, texts in _translations(draft).items() if each != tag}
    _tidy(draft)
    return _("Removed the translation into %(language)s.") % {"language": name_of(tag)}


def _tidy(draft: Draft) -> None:
    if not draft["translations"]:
        del draft["translations"]


# Parts of a draft -----------------------------------------------------------------------------------------------------


def _translations(draft: Draft) -> dict[str, object]:
    return as_object(draft.get("translations"))


def _language(draft: Draft) -> str:
    tag = draft.get("language")
    return str(tag) if is_tag(tag) else language_of({})


def _about(refusals: tuple[RuleBreach, ...], tag: str) -> list[RuleBreach]:
    return [
        one for one in refusals if one.field == f"translations.{tag}" or one.field.startswith(f"translations.{tag}.")
    ]


def _sorted(refusals: list[RuleBreach]) -> tuple[list[RuleBreach], list[RuleBreach]]:
    """Return the missing fields, and the wrong ones."""
    missing = [one for one in refusals if one.code == "missing"]
    return missing, [one for one in refusals if one not in missing]


def _problem(refusal: RuleBreach | None) -> tuple[str, bool]:
    """Return the error, and whether the field is only missing."""
    if refusal is None:
        return "", False
    return (_("Not translated yet."), True) if refusal.code == "missing" else (sentences.phrase(refusal), False)


def _address(survey: Survey, tag: str) -> str:
    return f"{reverse('survey-languages', args=[survey.pk])}?to={tag}"
