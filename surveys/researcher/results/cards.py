"""The shareable card of a question: its main estimates as the results page shows them by default."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from django.conf import settings
from django.template.defaultfilters import capfirst
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import get_language_bidi, ngettext, override
from django.utils.translation import gettext as _

from ldp.question import Drawn
from surveys.figures import numerals, strengths
from surveys.figures.card import Card, CardEstimate, rows_that_fit
from surveys.figures.display import Category, Document, Method, Result, is_estimated
from surveys.figures.layout import aside
from surveys.figures.scale import SHARES
from surveys.figures.targets import holds_at_every_release, targeted, usual_target, whose_mean, whose_share
from surveys.models import Release, Survey
from surveys.researcher.results import forms, reached, response_cache, routing, selection
from surveys.researcher.results.findings import findings, findings_of_grid, too_early
from surveys.researcher.results.presentation import total_delta
from surveys.rules.languages import site_language
from surveys.survey import kinds
from surveys.survey.definition.languages import language_of

NO_WIDTH = 1e-9


def language(survey: Survey) -> str:
    """Return the survey's language if this site has it, else English."""
    return site_language(language_of(survey.definition))


def of_release(release: Release, tag: str = "", only: str = "") -> dict[str, Card]:
    """Return cards by question key, for all questions with results or for `only` one. The language is `tag`, else the
    survey's."""
    survey = release.survey
    choice = selection.USUAL._replace(target=usual_target(survey.definition))
    with override(tag or language(survey)):
        document = reached.applied(selection.applied(response_cache.document(release), choice), release)
        results: dict[str, list[Result]] = {}
        for result in document["questions"]:
            results.setdefault(result["key"].partition(".")[0], []).append(result)
        same = _privacy(survey), _from(release)
        return {
            question["key"]: _card(question, results[question["key"]], survey.title, document, same)
            for question in survey.questions
            if question["key"] in results and only in ("", question["key"])
        }


def _card(question: Drawn, results: list[Result], title: str, document: Document, same: tuple[str, str]) -> Card:
    """Return a question's card. `same` has the lines that all cards of the release share."""
    text, items = str(question["text"]), kinds.of(question).items(question)
    note, more = findings_of_grid(results, items)[0] if items else findings(results[0])[0], ""
    if "asked_if" in question:
        note = f"{note} {routing.counted(results[0])}"
    rows: list[CardEstimate] = []
    if not all(map(too_early, results)):
        most = rows_that_fit(text, note)
        rows, more = _items(question, results, most) if items else _answers(results[0], most)
    what = _what(results[0], document) if rows else _reports(results[0], document)
    ends, foot = _ends(results[0]), (what, *same)
    return Card(title, text, note, tuple(rows), more, ends, foot, get_language_bidi())


def _answers(result: Result, most: int) -> tuple[list[CardEstimate], str]:
    """Return the answers with the largest estimates, in the page's order, and the number of others in words."""
    method = result["methods"][0]
    categories, last = method["categories"], aside(result)
    answers = categories[:last] if last is not None and len(categories) == len(result["options"]) else categories
    largest = sorted(answers, key=lambda category: -float(category["estimate"]))[:most]
    named = [(each["option"] if _of_shares(result) else _("Mean"), each) for each in answers if each in largest]
    rows = [_row(name, category, result, method) for name, category in named]
    others = len(answers) - len(rows)
    more = ngettext("and %(n)s more answer", "and %(n)s more answers", others) % {"n": others} if others else ""
    return rows, more


def _of_shares(result: Result) -> bool:
    return kinds.of(result).scale(result) == SHARES


def _items(question: Drawn, results: list[Result], most: int) -> tuple[list[CardEstimate], str]:
    """Return the first items with results, each with its most common answer."""
    items, rows = kinds.of(question).items(question), []
    for result in [each for each in results if not too_early(each)][:most]:
        method = result["methods"][0]
        leading = max(method["categories"], key=lambda category: float(category["estimate"]))
        item = items[int(result["key"].partition(".")[2]) - 1]
        rows.append(_row(f"{item}: {leading['option']}", leading, result, method))
    others = len(items) - len(rows)
    more = ngettext("and %(n)s more item", "and %(n)s more items", others) % {"n": others} if others else ""
    return rows, more


def _row(name: str, category: Category, result: Result, method: Method) -> CardEstimate:
    """Return a row of the card. An impossible estimate is left out, and so is an interval without width."""
    scale, (low, high) = kinds.of(result).scale(result), targeted(category)["simultaneous"]
    possible = is_estimated(category) and scale.possible(category)
    has_width = high - low > NO_WIDTH * scale.width
    at = [(min(max(value, scale.low), scale.high) - scale.low) / scale.width for value in (low, high)]
    estimate, interval = _texts(category, result, method)
    place = (category["estimate"] - scale.low) / scale.width if possible else None
    words = interval if not possible else f"{estimate} ({interval})" if has_width else estimate
    return CardEstimate(name, words, (at[0], at[1]), place)


def _texts(category: Category, result: Result, method: Method) -> tuple[str, str]:
    if not _of_shares(result):
        mean = kinds.of(result).numbers(result, method)["mean"]
        return mean["estimate"], mean["interval"]
    places = numerals.decimals_of(method)
    interval = numerals.span(targeted(category)["simultaneous"], places)
    return numerals.percentage(numerals.share(category["estimate"], places)), numerals.percentage(interval)


def _ends(result: Result) -> tuple[str, str]:
    if not _of_shares(result):
        return numerals.decimal(result["low"]), numerals.decimal(result["high"])
    return numerals.percentage(0), numerals.percentage(100)


def _what(result: Result, document: Document) -> str:
    of_shares, watched = _of_shares(result), holds_at_every_release(result["methods"][0])
    interval = {
        (True, True): _("%(level)s interval, all at once, at every release"),
        (True, False): _("%(level)s interval, all at once, for one look"),
        (False, True): _("%(level)s interval, at every release"),
        (False, False): _("%(level)s interval, for one look"),
    }[of_shares, watched] % {"level": numerals.level(document["confidence"])}
    whose = whose_share(result) if of_shares else whose_mean(result)
    return " · ".join([whose, interval, _reports(result, document)])


def _reports(result: Result, document: Document) -> str:
    return _("%(n)s reports") % {"n": numerals.count(forms.reports(result, document))}


def _privacy(survey: Survey) -> str:
    """Return the alpha of a whole report, with the word for its strength."""
    step = strengths.of_definition(survey.definition)
    delta = total_delta(survey.questions)
    alpha = f"{survey.alpha_total}, δ = {numerals.small(float(delta))}" if delta else survey.alpha_total
    randomized = _("Answers were randomized before they left the browser: α = %(alpha)s.") % {"alpha": alpha}
    return f"{randomized} {_('%(step)s protection') % {'step': capfirst(str(step.word))}}"


def _from(release: Release) -> str:
    text = f"{_('Release')} {release.number} · {date_format(release.day)} · {urlsplit(settings.SITE_URL).netloc}"
    return text if release.final else f"{text} · {_('Provisional')}"


def shared(release: Release, cards: Mapping[str, Card], page: str, *args: object) -> dict[str, str] | None:
    """Return a published page's metadata for other sites, with the first card that has results. `page` is the name of
    its URL. Return None if the results are not public or there is no card."""
    if not release.survey.results_public or not cards:
        return None
    key = next((key for key, card in cards.items() if card.rows), next(iter(cards)))
    address = settings.SITE_URL + reverse(page, args=[release.survey.slug, release.number, *args])
    return {"key": key, "words": cards[key].alternative, "address": address}
