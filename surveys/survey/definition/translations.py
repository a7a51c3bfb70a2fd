"""The languages of a survey: its own language, and translations by position.

A translation is complete: it has a text exactly where the original has one. It lacks the page's own words (yes and no,
bins, "Prefer not to say"). The page has the same rules (translations.js).
"""

from collections.abc import Iterator
from typing import Any, cast

from django.utils.translation import gettext_noop as _

from surveys.rules.languages import implied_words, is_tag
from surveys.rules.limits import LANGUAGES_MAX, OPTION_MAX
from surveys.rules.lookalikes import alike, looks_like_any
from surveys.rules.refusals import DraftRefused, Refusals, known_fields, look_alike, refuse, text
from surveys.rules.shapes import different_texts, exactly, must
from surveys.rules.texts import is_text
from surveys.rules.unchecked import Built, Unchecked, as_list
from surveys.survey import kinds
from surveys.survey.definition.document import Translation
from surveys.survey.definition.fields import QUESTION, SECTION, SURVEY
from surveys.survey.definition.languages import TRANSLATED, language_of
from surveys.survey.definition.pictures import LOGO, PICTURE
from surveys.survey.kinds import KINDS, LISTS, Kind

UncheckedTexts = Built
# The most characters of each text.
LIMITS = {name: SURVEY[name].longest for name in TRANSLATED}
OF_SECTION = {name: SECTION[name].longest for name in ("title", "text")}
OF_QUESTION = {name: QUESTION[name].longest for name in ("text", "note", "unit")}


# Drafts ---------------------------------------------------------------------------------------------------------------


def build(draft: Unchecked, refusals: Refusals) -> Built:
    """Return the definition's language and translations, if it has any. Errors and missing texts are added to the
    refusals."""
    language = refusals.attempt(_language, draft.get("language", ""))
    built: Built = {"language": language} if language else {}
    own = language_of(built)
    translations = refusals.attempt(_translations, draft, draft.get("translations", {}), own)
    return built | ({"translations": translations} if translations else {})


def _language(tag: object) -> object:
    if tag != "" and not is_tag(tag):
        raise refuse("language", "language_tag", _('must be a language tag such as "de", "pt-BR" or "zh-Hant"'))
    return tag


def _translations(draft: Unchecked, given: object, own: str) -> dict[str, Translation]:
    if not isinstance(given, dict) or len(given) >= LANGUAGES_MAX:
        rule = _("must be an object with at most %(most)s languages")
        raise refuse("translations", "translation_count", rule, most=LANGUAGES_MAX - 1)
    if not all(map(is_tag, given)):
        rule = _("must have language tags such as “de”, “pt-BR” or “zh-Hant” as its names")
        raise refuse("translations", "translation_tags", rule)
    if own in given:
        rule = _("must be another language than that of the survey's own texts")
        raise refuse(f"translations.{own}", "own_language", rule)
    refusals = Refusals()
    built = {tag: refusals.attempt(_translation, draft, tag, texts) for tag, texts in given.items()}
    refusals.check()
    return {tag: texts for tag, texts in built.items() if texts is not None}


def _translation(draft: Unchecked, tag: str, given: object) -> Translation:
    where = f"translations.{tag}"
    if not isinstance(given, dict):
        raise refuse(where, "not_an_object", _("must be an object"))
    refusals = Refusals()
    refusals.attempt(
        known_fields,
        given,
        where,
        {"title", "questions"},
        {*TRANSLATED, "sections", "questions", *_pictured(draft, LOGO)},
    )
    made = _texts(draft, given, LIMITS, where, refusals)
    built = {name: made[name] for name in TRANSLATED if made[name] or name in ("title", "introduction")}
    sections = refusals.attempt(_alongside, draft.get("sections"), given.get("sections", []), f"{where}.sections")
    if sections:
        built["sections"] = [_section(*each, refusals) for each in sections]
    if "questions" in given:
        questions = refusals.attempt(_alongside, draft.get("questions"), given["questions"], f"{where}.questions")
        built["questions"] = [_question(*each, tag, refusals) for each in questions or ()]
    refusals.check()
    return cast(Translation, built)


def _alongside(originals: object, given: object, where: str) -> list[tuple[Any, UncheckedTexts, str]]:
    """Return the draft's parts with their translated texts and the paths of these."""
    originals = as_list(originals)
    if not isinstance(given, list) or len(given) != len(originals) or not all(isinstance(each, dict) for each in given):
        rule = _("must be a list of %(n)s objects, one for each of the survey's own %(parts)s")
        raise refuse(where, "translation_parts", rule, n=len(originals), parts=_last(where))
    return [
        (original, texts, f"{where}[{i}]") for i, (original, texts) in enumerate(zip(originals, given, strict=True))
    ]


def _last(where: str) -> str:
    return where.rpartition(".")[2]


def _section(original: Any, given: UncheckedTexts, where: str, refusals: Refusals) -> UncheckedTexts:
    refusals.attempt(known_fields, given, where, set(), set(OF_SECTION))
    return _texts(original, given, OF_SECTION, where, refusals)


def _question(original: Any, given: UncheckedTexts, where: str, tag: str, refusals: Refusals) -> UncheckedTexts:
    kind = _kind(original)
    if kind is None:  # the kind decides which fields there are
        return {}
    names = {"text", "note", *kinds.texts(original)}
    refusals.attempt(known_fields, given, where, set(), names | _pictured(original, PICTURE))
    built = _texts(original, given, {name: OF_QUESTION[name] for name in OF_QUESTION if name in names}, where, refusals)
    for name in sorted(LISTS.keys() & names):
        built[name] = refusals.attempt(_list, original, given.get(name, []), f"{where}.{name}", tag)
    return built


def _pictured(part: Unchecked, name: str) -> set[str]:
    """Return the name of a picture's field for its description, if there is a picture. A definition has it elsewhere
    (pictures.py)."""
    return {name} if isinstance(part.get(name), dict) else set()


def _kind(question: Any) -> Kind | None:
    return kinds.in_draft(question) if isinstance(question, dict) else None


def _texts(
    original: Any, given: UncheckedTexts, limits: dict[str, int], where: str, refusals: Refusals
) -> UncheckedTexts:
    return {
        name: refusals.attempt(_same, original, given.get(name, ""), name, f"{where}.{name}", limit) or ""
        for name, limit in limits.items()
    }


def _same(original: Any, value: object, name: str, where: str, limit: int) -> str:
    """Return the translated text. Raise DraftRefused if it is missing, or if the original has no text."""
    made = text(value, where, limit, empty=True)
    before = original.get(name, "") if isinstance(original, dict) else ""
    is_wanted = not isinstance(before, str) or is_text(before, len(before))
    if is_wanted and not is_text(made, limit):
        raise refuse(where, "missing", _("is missing"))
    if not is_wanted and is_text(made, limit):
        rule = _("must be empty, since the survey's own language has no text here")
        raise refuse(where, "surplus_text", rule)
    return made if is_wanted else ""


def _list(question: Any, given: object, where: str, tag: str) -> list[str]:
    """Return the translation of a draft's list. Raise DraftRefused unless it has equally many texts, all different,
    also from the page's added options."""
    name = _last(where)
    count = len(as_list(question.get(name)))
    if not isinstance(given, list) or len(given) != count:
        rule = _("must be a list of %(n)s texts, one for each of the survey's own %(parts)s")
        raise refuse(where, "translation_lines", rule, n=count, parts=name)
    refusals = Refusals()
    made = [refusals.attempt(_element, each, f"{where}[{i}]") for i, each in enumerate(given)]
    refusals.check()
    texts = [each for each in made if each is not None]
    if len(set(texts)) != count:
        raise refuse(where, "repeated", _("must differ from each other"))
    options = KINDS[question["kind"]].implied_options({name: texts}, implied_words(tag)) or texts
    if len(set(options)) != len(options):  # such as “a”, “b > c”, “a > b” and “c”
        raise refuse(where, "repeated", _("must differ from each other"))
    if pair := alike(texts):
        raise DraftRefused(look_alike(where, *pair))
    refusing = implied_words(tag).prefer_not_to_say
    if name == "options" and question.get("prefer_not_to_say") is True and looks_like_any(refusing, texts):
        rule = _("must differ from “%(option)s”, which prefer_not_to_say adds")
        raise refuse(where, "refusing_option", rule, option=refusing)
    return texts


def _element(value: object, where: str) -> str:
    made = text(value, where, OPTION_MAX, empty=True)
    if not is_text(made, OPTION_MAX):
        raise refuse(where, "missing", _("is missing"))
    return made


# Definitions ----------------------------------------------------------------------------------------------------------


def check(data: Unchecked) -> None:
    """Raise Misshapen, or a Python error, unless a page may ask in the definition's languages. The rest must be
    well-formed."""
    if "language" in data:
        must(is_tag(data["language"]))
    if "translations" in data:
        translations = data["translations"]
        must(isinstance(translations, dict) and 1 <= len(translations) < LANGUAGES_MAX)
        must(all(map(is_tag, translations)) and language_of(data) not in translations)
        for texts in translations.values():
            _check_translation(data, texts)


def _check_translation(data: Unchecked, texts: Any) -> None:
    exactly(texts, {"title", "introduction", "questions"} | (data.keys() & {"consent", "thanks", "sections"}))
    _check_texts(data, texts, LIMITS)
    for section, each in _pairs(data.get("sections", []), texts.get("sections", [])):
        exactly(each, set(OF_SECTION))
        _check_texts(section, each, OF_SECTION)
    for question, each in _pairs(data["questions"], texts["questions"]):
        exactly(each, {"text", "note"} | kinds.texts(question))
        _check_texts(question, each, OF_QUESTION)
        for name in LISTS.keys() & each.keys():
            different_texts(each[name], LISTS[name])
            must(len(each[name]) == len(question[name]) - (name == "options" and question["prefer_not_to_say"]))


def _pairs(originals: list[Any], given: Any) -> Iterator[tuple[Any, Any]]:
    must(isinstance(given, list) and len(given) == len(originals))
    yield from zip(originals, given, strict=True)


def _check_texts(original: Unchecked, texts: UncheckedTexts, limits: dict[str, int]) -> None:
    for name in limits.keys() & texts.keys():
        must(is_text(texts[name], limits[name], empty=True))
        must(is_text(texts[name], limits[name]) == is_text(original[name], limits[name]))
