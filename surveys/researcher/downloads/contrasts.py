"""The comparisons of a release's page of contrasts, as rows: for each question the pairs of answers that its page shows
before anything is chosen there, corrected for one another."""

from collections.abc import Iterator
from functools import lru_cache

from django.utils.translation import override

from ldp.confidences import CONFIDENCES
from ldp.inference.reading import pairs
from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.analyses.contrasts import options, power
from surveys.researcher.analyses.contrasts.choices import ALL_MOST, Choices
from surveys.researcher.analyses.contrasts.family import Family, family
from surveys.researcher.downloads.readings import HEADER
from surveys.researcher.results import response_cache
from surveys.researcher.results.question.arms import Arms, arms
from surveys.researcher.results.question.comparisons import UNTESTED
from surveys.researcher.results.question.released import of_release

CONTRAST = (
    "question", "text", "kind", "n_about", "option", "other_question", "other_option", "difference",
    "confidence", "together", "simultaneous_low", "simultaneous_high", "told_apart", "p_value",
    "corrected_p_value", "reports_needed", "every_release", "guarantee", "reason",
)  # fmt: skip
COLUMNS = (*HEADER, *CONTRAST)
QUESTIONS_KEPT = 128


def rows(release: Release, language: str = "en") -> Iterator[Row]:
    """One for each pair of a question's answers and each confidence, with the keys CONTRAST; what does not exist is
    None. A mean has no answers to compare. Then one for each difference between versions of a question. Reasons are in
    the language."""
    comparable = {key for _, parts in options.groups(release.counted_questions) for key, _ in parts}
    for result in response_cache.document(release)["questions"]:
        if result["key"] in comparable:
            about = {"question": result["key"], "text": result["text"], "kind": result["kind"]}
            for row in _of_question(release.survey.slug or "", release.number, result["key"]):
                yield about | row | {"reason": _reason(row["reason"], language)}
    for key in (question["key"] for question in release.survey.questions if "arm_of" not in question):
        for row in _of_versions(release.survey.slug or "", release.number, key):
            yield row | {"reason": _reason(row["reason"], language)}


@lru_cache(maxsize=QUESTIONS_KEPT)
def _of_question(slug: str, number: int, key: str) -> tuple[Row, ...]:
    """Kept for all languages, since each pair takes some milliseconds."""
    many = len(of_release(slug, number, key).options)
    usual = Choices(key, against=None if many <= ALL_MOST else 0)
    every = (family(slug, number, usual._replace(confidence=confidence)) for confidence in CONFIDENCES)
    return tuple(row for each in every for row in _rows(each))


@lru_cache(maxsize=QUESTIONS_KEPT)
def _of_versions(slug: str, number: int, key: str) -> tuple[Row, ...]:
    """The differences between the versions of the question with this key, which is the first one."""
    every = (arms(slug, number, key, confidence) for confidence in CONFIDENCES)
    return tuple(row for compared in every if compared for row in _version_rows(compared))


def _version_rows(compared: Arms) -> Iterator[Row]:
    scale, same = compared.scale, {"confidence": compared.confidence, "together": len(compared.differences)}
    for place, one in compared.differences:
        here, there = compared.part(place.one, place.item), compared.part(place.other, place.item)
        options = [part.question.get("options", ["mean"])[place.option] for part in (here, there)]
        yield same | {
            "question": here.key,
            "text": here.question["text"],
            "kind": here.kind,
            "n_about": here.n_about,
            "option": options[0],
            "other_question": there.key,
            "other_option": options[1],
            "difference": scale * one.estimate,
            "simultaneous_low": scale * one.interval.low,
            "simultaneous_high": scale * one.interval.high,
            "told_apart": one.shows,
            "p_value": one.p_value,
            "corrected_p_value": one.corrected,
            "reports_needed": None,
            "every_release": compared.watched,
            "guarantee": compared.guarantee(place),
            "reason": one.untested,
        }


def _reason(untested: str, language: str) -> str | None:
    """The sentence of why there is no p-value."""
    if not untested:
        return None
    with override(language):
        return str(UNTESTED[untested])


def _rows(family: Family) -> Iterator[Row]:
    released, own = family.released, family.released.one
    checked = own is not None and not released.watched and not pairs.proved(own)
    same: Row = {"confidence": family.chosen.confidence, "together": family.together, "every_release": released.watched}
    same |= {"guarantee": "checked" if checked else "proved"}
    for one in family.pairs:
        assert one.second is not None
        yield same | {
            "n_about": released.n_about,
            "option": released.options[one.first],
            "other_question": None,
            "other_option": released.options[one.second],
            "difference": one.estimate,
            "simultaneous_low": one.interval.low,
            "simultaneous_high": one.interval.high,
            "told_apart": one.shows,
            "p_value": one.p_value,
            "corrected_p_value": one.corrected,
            "reports_needed": power.needed(family, one.first, one.second),
            "reason": one.untested,
        }
