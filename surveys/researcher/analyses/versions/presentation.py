"""The versions of a question side by side, in sentences and tables, with their differences."""

from fractions import Fraction

from django.utils.translation import gettext as _

from ldp.document import Document
from ldp.planning.arms import Arm
from ldp.planning.arms import power as arms_power
from surveys.figures import numerals
from surveys.figures.display import is_estimated
from surveys.models import Release
from surveys.researcher.analyses.frame.comparison import NAMED_MAX, UNTESTED, decimals, numbers, p_value, spacing
from surveys.researcher.analyses.versions.arms import Arms, VersionComparison, VersionPair, arms
from surveys.researcher.results import forms, reached, response_cache, routing
from surveys.researcher.results.question.parts import PageTable, number_span, span
from surveys.researcher.results.released import ReleasedQuestion
from surveys.rules.context import Context
from surveys.survey.kinds.date import in_words

# The difference and the power that the page states if no version differs.
DIFFERENCE, POWER = 0.05, 0.8


def context(release: Release, key: str, confidence: float) -> Context | None:
    """Return the context of results/arms.html; None if fewer than two versions have reports."""
    compared = arms(release.survey.slug or "", release.number, key, confidence)
    if compared is None:
        return None
    headline, sentences = _findings(compared)
    shown = {
        "headline": headline,
        "sentences": sentences,
        "versions": [_version(parts[0]) for parts in compared.versions],
    }
    if compared.is_refused:
        return shown
    return shown | {
        "tables": [_side_by_side(compared), _differences(compared)],
        "notes": [*_whom(compared, release), _cause(compared, response_cache.document(release)), *_notes(compared)],
    }


def _whom(compared: Arms, release: Release) -> list[str]:
    """Return who was asked; nothing if everyone was."""
    by_key = {question["key"]: question for question in release.survey.questions}
    text = routing.sentence(compared.versions[0][0].question, by_key)
    return [text] if text else []


def _version(released: ReleasedQuestion) -> Context:
    question = released.question
    return {
        "comparisons": "" if released.is_mean or not reached.shows_who(released) else released.key,
        "text": question["text"],
        "n": numerals.count(released.n),
        "alpha": forms.alpha(question),
        "form": forms.names(question),
    }


# Sentences ------------------------------------------------------------------------------------------------------------


def _findings(compared: Arms) -> tuple[str, list[str]]:
    if compared.is_refused:
        reason = _(
            "Only some people were asked, and reports do not show how many. The reports of the others hold a filler, "
            "which would count as an answer."
        )
        return _("The versions are not compared."), [reason]
    sure, many = [each for each in compared.differences if each.is_sure], len(compared.differences)
    if not sure:
        weak = _("That is no proof that nothing differs: with more reports a difference may show.")
        return _("These reports show no difference between the versions."), [weak, *_power(compared)]
    headline = _("The versions differ.")
    if many > 1:
        headline = _("The versions differ in %(known)s of %(many)s numbers.") % {"known": len(sure), "many": many}
    sentences = [_sentence(compared, each) for each in sure[:NAMED_MAX]]
    return headline, sentences + ([_("The table has the rest.")] if len(sure) > NAMED_MAX else [])


def _power(compared: Arms) -> list[str]:
    """Return how many reports would show a small difference. Return nothing if the power is unknown, if intervals hold
    at every release, or if only some people were asked."""
    first = [parts[0] for parts in compared.versions]
    n = sum(each.n for each in first)
    planned = [Arm(each.question, Fraction(each.n, n)) for each in first]
    unknown = compared.watched or compared.is_routed
    power = None if unknown else arms_power(planned, DIFFERENCE, 1 - compared.confidence, POWER, n)
    if power is None:
        return []
    size = _("%(points)s percentage points") % {"points": numerals.number(100 * DIFFERENCE, 0)}
    if compared.is_mean:
        size = numerals.with_unit(numerals.rounded_up(DIFFERENCE * compared.scale), first[0].question["unit"])
    words = {"n": numerals.integer(n), "difference": size, "chance": numerals.percent(round(power.chance, 2))}
    texts = [_("With %(n)s people, a true difference of %(difference)s is found with a chance of %(chance)s.") % words]
    if power.people is not None and power.people > n:
        texts.append(
            _("It takes %(people)s people for a chance of 80%%.") % {"people": numerals.count_up(power.people)}
        )
    return texts


def _sentence(compared: Arms, difference: VersionComparison) -> str:
    place = difference.place
    more, less = (place.one, place.other) if difference.comparison.more else (place.other, place.one)
    words: Context = {"more": more + 1, "less": less + 1}
    if compared.is_mean:
        return _("The mean is larger in version %(more)s than in version %(less)s.") % words
    words |= {"option": _option(compared, more, place), "its": _option(compared, less, place)}
    text = (
        _("“%(option)s” is more common in version %(more)s than in version %(less)s.")
        if words["option"] == words["its"]
        else _("“%(option)s” in version %(more)s is more common than “%(its)s” in version %(less)s.")
    )
    item = _item(compared, more, place.item)
    return (f"{item}: " if item else "") + text % words


def _option(compared: Arms, version: int, place: VersionPair) -> str:
    return str(in_words(compared.versions[version][0].question["options"])[place.option])


def _item(compared: Arms, version: int, item: int) -> str:
    return str(compared.versions[version][0].question["items"][item - 1]) if item else ""


def _cause(compared: Arms, document: Document) -> str:
    """Return what causes a difference: the version, or other questions if forms differ in more than that."""
    drawn = [forms.of_question(parts[0].question, document) for parts in compared.versions]
    if any(len(form["questions"]) > 1 for own in drawn for form in own):
        return _(
            "A lot decided who was asked which version. So a difference beyond chance is due to the version or to the "
            "other questions of its form, unless people left one form more than another: see who was asked what."
        )
    return _(
        "A lot decided who was asked which version. So a difference beyond chance is due to the version, unless people "
        "left one form more than another: see who was asked what."
    )


def _notes(compared: Arms) -> list[str]:
    many = len(compared.differences)
    words = {"many": many, "level": numerals.percent(compared.confidence)}
    at_once = _(
        "All %(many)s differences are compared together: their intervals hold all at once at %(level)s, and the "
        "p-values are corrected by Holm's rule. A difference is named where its interval does not contain 0."
    )
    untested = {each.comparison.untested for each in compared.differences if each.comparison.untested}
    return [*([at_once % words] if many > 1 else []), *(str(UNTESTED[reason]) for reason in sorted(untested))]


# Tables ---------------------------------------------------------------------------------------------------------------


def _side_by_side(compared: Arms) -> PageTable:
    """Return each version's numbers with intervals, as on the page of results."""
    first = compared.versions[0]
    names = [_("Version %(n)d") % {"n": n} for n in range(1, len(compared.versions) + 1)]
    key = first[0].question["key"]
    if compared.is_mean:
        caption, head = _("The mean in each version, with its interval"), [_("Number")]
    else:
        caption, head = _("Shares in each version, in percent, with their intervals"), [_("Answer")]
    columns = [_cells(parts, compared.confidence) for parts in compared.versions]
    keys = sorted({key for column in columns for key in column})
    rows = [[_label(compared, *place), *(column.get(place, "–") for column in columns)] for place in keys]
    return PageTable(f"arms-{key}", caption, [*head, *names], rows)


def _label(compared: Arms, item: int, option: int) -> str:
    """Return the answer in the words of the first version, and in those of others that differ."""
    if compared.is_mean:
        return _("Mean")
    texts = dict.fromkeys(in_words(parts[0].question["options"])[option] for parts in compared.versions)
    return _of_item(compared, item, " / ".join(texts))


def _of_item(compared: Arms, item: int, text: str) -> str:
    name = _item(compared, 0, item)
    return f"{name}: {text}" if name else text


def _cells(parts: tuple[ReleasedQuestion, ...], confidence: float) -> dict[tuple[int, int], str]:
    cells = {}
    for released in parts:
        method = reached.narrowed(released.displayed(confidence, "population"), released)["methods"][0]
        options = in_words(released.question.get("options", ["mean"]))
        widest = max(numerals.error_of(each["shown"]) for each in method["categories"])
        places, unit = numerals.decimals_for(widest), released.question.get("unit", "")
        for category in method["categories"]:
            own, interval = category["estimate"], category["shown"]["simultaneous"]
            option = 0 if released.is_mean else options.index(category["option"])
            if released.is_mean:
                places = numerals.places(numerals.error_of(category["shown"]))
                number, text = numerals.with_unit(numerals.number(own, places), unit), number_span(interval, places)
            else:
                number, text = numerals.share(own, places), span(interval, places)
            cells[released.place, option] = f"{number if is_estimated(category) else numerals.NONE} ({text})"
    return cells


def _differences(compared: Arms) -> PageTable:
    interval = _("%(level)s interval, all at once") % {"level": numerals.level(compared.confidence)}
    head = [_("Versions and answer"), _("Difference"), interval, _("p-value, corrected")]
    caption = _("Differences between versions, in percentage points")
    if compared.is_mean:
        caption = _("Differences between versions, in the unit of the question")
    rows = [[_name(compared, each), *_numbers(compared, each)] for each in compared.differences]
    return PageTable(f"arms-{compared.versions[0][0].question['key']}-differences", caption, head, rows)


def _name(compared: Arms, difference: VersionComparison) -> str:
    place = difference.place
    pair = _("%(one)d – %(other)d") % {"one": place.one + 1, "other": place.other + 1}
    return pair if compared.is_mean else f"{pair}: {_label(compared, place.item, place.option)}"


def _numbers(compared: Arms, difference: VersionComparison) -> list[str]:
    one, every = difference.comparison, [each.comparison for each in compared.differences]
    if compared.is_mean:
        scale, unit = compared.scale, compared.versions[0][0].question["unit"]
        places = numerals.places(spacing(every, scale))
        difference_text = numerals.with_unit(numerals.number(scale * one.estimate, places), unit)
        return [
            difference_text,
            number_span((scale * one.interval.low, scale * one.interval.high), places, apart=0),
            p_value(one),
        ]
    return numbers(one, decimals(every))
