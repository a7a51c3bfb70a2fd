"""Refuse an imported draft that storing would change. Stored drafts have one shape (surveys/drafts/normalize.py), and
forms, sections or keys of another shape would change silently."""

from collections.abc import Iterable, Sequence

from surveys.drafts.normalize import normalized
from surveys.rules.draft import Draft, Draw
from surveys.rules.refusals import RuleBreach
from surveys.survey import definition as definitions
from surveys.survey.definition.randomization import OWN


def refusals(draft: Draft) -> list[RuleBreach]:
    """Return the rules that storing the draft would break; [] if it would be stored unchanged."""
    stored = normalized(draft)
    changed = [name for name, same in _SAME.items() if not same(draft, stored)]
    if not changed:
        return []
    # A missing title would hide the rule in question.
    titled = [{"title": "?"} | section for section in draft.get("sections", ())]
    broken = list(definitions.refusals(draft | {"sections": titled}))
    return [each for each in broken if _part(each) in changed] or broken


def _part(refusal: RuleBreach) -> str:
    if refusal.code == "drawn_own" or refusal.field.startswith("draws"):
        return "forms"
    return "keys" if refusal.field.endswith("].key") else refusal.field.partition("[")[0]


def _same_forms(draft: Draft, stored: Draft) -> bool:
    """Return whether all draws are the same, in any order of draws and questions."""
    return _forms(draft) == _forms(stored) and _our_fields(draft) == _our_fields(stored)


def _forms(draft: Draft) -> list[object]:
    forms = [
        {**form, "weight": form.get("weight", 1), "draws": _draws(form.get("draws", ()))}
        for form in draft.get("forms", ())
    ]
    return [_draws(draft.get("draws", ())), *forms]


def _draws(draws: Iterable[Draw]) -> Sequence[object]:
    made = [(sorted(draw["questions"]), {**draw, "questions": (), "sizes": _sizes(draw)}) for draw in draws]
    return sorted(made, key=lambda pair: pair[0])


def _sizes(draw: Draw) -> object:
    """Return the sizes by question if there is one for each question."""
    sizes, keys = draw.get("sizes"), draw["questions"]
    return dict(zip(keys, sizes, strict=True)) if isinstance(sizes, list) and len(sizes) == len(keys) else sizes


def _our_fields(draft: Draft) -> list[object]:
    return [{name: value for name, value in each.items() if name in OWN} for each in draft["questions"]]


def _same_sections(draft: Draft, stored: Draft) -> bool:
    """Return whether every question is in the section that names it."""
    pairs = zip(draft.get("sections", ()), stored.get("sections", ()), strict=True)
    return all(set(one.get("questions", ())) <= set(other["questions"]) for one, other in pairs)


def _same_keys(draft: Draft, stored: Draft) -> bool:
    pairs = zip(draft["questions"], stored["questions"], strict=True)
    return all(one.get("key", other["key"]) == other["key"] for one, other in pairs)


_SAME = {"forms": _same_forms, "sections": _same_sections, "keys": _same_keys}
