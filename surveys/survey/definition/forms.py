"""The forms and draws of a survey. A form is a part of the questionnaire; each browser draws one (M35). A draw is a set
of questions that are randomized together, with their alpha (M44).

In a draft, a question that no draw names has an alpha and perhaps other fields of SETTINGS. It is drawn by itself, for
all respondents. `draws` are joint draws for all respondents. `forms[].draws` are each form's draws, of one question or
several. A question may be in several forms (M45). In a definition, questions say what is asked, and draws how it is
randomized: surveys.survey.definition.draws.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from math import prod
from typing import Any, NamedTuple, cast

from django.utils.translation import gettext_noop as _

from ldp import subsets
from ldp.forms import definition as definitions
from ldp.forms.lot import WEIGHT_MAX
from ldp.mechanisms import FITTING, MARGINAL, POOLED, TOGETHER, randomized_response
from ldp.mechanisms.randomized_response import cells
from ldp.question import Drawn, Question
from ldp.subsets import CELLS_MAX
from surveys.rules.languages import DEFAULT
from surveys.rules.limits import QUESTIONS_MAX
from surveys.rules.refusals import DraftRefused, Refusals, RuleBreach, as_text, broken, known_fields, refuse
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Built, Unchecked, as_list, as_object
from surveys.survey.definition import build_cache, randomization
from surveys.survey.definition.cost import Budget
from surveys.survey.definition.randomization import OWN
from surveys.survey.definition.routing import placed
from surveys.survey.kinds import KINDS

# The size of a question, or of a list or grid in a joint draw.
DrawSize = int | list[int]

# The randomization of a question: fields of the question if no draw names it (OWN), else of its draw, which has sizes
# instead of a size.
SETTINGS = ("alpha", "mechanism", "delta", "sample")
# The fields of a drawn question that a definition has in the draw.
RANDOMIZED = ("alpha", "delta", "mechanism", "table")
# A tally counts every combination of answers of every joint draw.
COUNTS_MAX = 4 * CELLS_MAX
FEWEST = 2


# Drafts ---------------------------------------------------------------------------------------------------------------


class DraftDraw(NamedTuple):
    """A draw of a draft, at path `where`. `form` is its form's index from 0, None for all respondents. `keys` are in
    the survey's order."""

    where: str
    form: int | None
    keys: list[str]
    draft: Unchecked

    @property
    def sizes(self) -> list[DrawSize] | None:
        return sizes_of(self.draft, self.keys)


def drawn_keys(draft: Unchecked) -> set[str]:
    """Return the keys of the questions that draws name. Malformed parts are skipped."""
    every = [draft, *map(as_object, as_list(draft.get("forms")))]
    draws = [as_object(draw) for part in every for draw in as_list(part.get("draws"))]
    return {key for draw in draws for key in as_list(draw.get("questions")) if isinstance(key, str)}


def sizes_of(draw: Unchecked, keys: Sequence[str]) -> list[DrawSize] | None:
    """Return how many options a report lists for each of these questions. For a list or grid in a joint draw, return
    the number of drawn items and of options listed for each. Return None unless the draw has one size per question."""
    sizes, named = draw.get("sizes"), as_list(draw.get("questions"))
    if not isinstance(sizes, list) or len(sizes) != len(named) or not all(map(_is_size, sizes)):
        return None
    return [sizes[named.index(key)] for key in keys if key in named]


def _is_size(size: object) -> bool:
    if isinstance(size, list):
        return len(size) == 2 and all(type(each) is int for each in size)
    return type(size) is int


def alone(question: Unchecked, draw: Unchecked, every: Sequence[Unchecked]) -> Built:
    """Return the question with the settings of a draw that asks it alone. `every` are all draws of the question. If
    they differ and name no mechanism, it is randomized response, which estimates can pool (M45)."""
    made = {name: value for name, value in question.items() if name not in OWN}
    made |= {name: draw[name] for name in SETTINGS if name in draw}
    if "sizes" in draw:
        size = draw["sizes"][0] if isinstance(draw["sizes"], list) and draw["sizes"] else draw["sizes"]
        made |= {"size": size} if size != 1 or takes_size(question) else {}
    if any(each != draw for each in every) and not draw.get("mechanism"):
        pooled = [name for name in FITTING.get(str(question.get("kind")), ()) if name in POOLED]
        made |= {"mechanism": pooled[0]} if pooled else {}
    return made


def takes_size(question: Unchecked) -> bool:
    """Return whether a question's kind lets a report list several options. Return True for an unknown kind."""
    kind = KINDS.get(str(question.get("kind")))
    return kind is None or "size" in kind.optional


def build(
    draft: Unchecked,
    built: Mapping[int, Question],
    budget: Budget,
    language: str = DEFAULT,
) -> Built | None:
    """Return the definition's questions, draws and forms; None if a question was refused. `built` are the
    questions by index, without the refused ones. They have their randomization if no draw names them. Raise
    DraftRefused for errors in draws and forms."""
    questions = as_list(draft.get("questions"))
    keys = [each["key"] for each in questions if isinstance(each, dict) and isinstance(each.get("key"), str)]
    draws = _named(draft, keys)
    refusals = Refusals()
    refusals.attempt(_once, draws)
    refusals.attempt(_conditions, draws, questions)
    refusals.check()
    if len(built) < len(questions):
        return None
    drawn = _randomized(draws, questions, list(built.values()), budget, language)
    weights = [as_object(form).get("weight", 1) for form in as_list(draft.get("forms"))]
    return _parts(list(built.values()), [each.form for each in draws], drawn, weights)


def _named(draft: Unchecked, keys: list[str]) -> list[DraftDraw]:
    """Return all draws, still without tables."""
    given, forms = draft.get("draws", []), draft.get("forms", [])
    refusals = Refusals()
    if not isinstance(given, list) or len(given) > QUESTIONS_MAX:
        rule = _("must be a list of at most %(most)s draws")
        refusals.refused.append(broken("draws", "draw_count", rule, most=QUESTIONS_MAX))
        given = []
    if not isinstance(forms, list) or len(forms) == 1 or len(forms) > QUESTIONS_MAX:
        rule = _("must be a list of 2 to %(most)s forms, or empty")
        refusals.refused.append(broken("forms", "form_count", rule, most=QUESTIONS_MAX))
        forms = []
    draws = [refusals.attempt(_draw, draw, f"draws[{j}]", None, keys) for j, draw in enumerate(given)]
    for k, form in enumerate(forms):
        draws += refusals.attempt(_of_form, form, k, keys) or []
    refusals.check()
    return [draw for draw in draws if draw is not None]


def _of_form(form: object, place: int, keys: list[str]) -> list[DraftDraw | None]:
    where = f"forms[{place}]"
    if not isinstance(form, dict):
        raise refuse(where, "not_an_object", _("must be an object"))
    refusals = Refusals()
    refusals.attempt(known_fields, form, where, {"draws"}, {"draws", "weight"})
    refusals.attempt(_check_weight, form.get("weight", 1), f"{where}.weight")
    given = form.get("draws", [])
    if "draws" in form and (not isinstance(given, list) or not 1 <= len(given) <= QUESTIONS_MAX):
        rule = _("must be a list of 1 to %(most)s draws")
        refusals.refused.append(broken(f"{where}.draws", "empty_form", rule, most=QUESTIONS_MAX))
        given = []
    draws = [refusals.attempt(_draw, draw, f"{where}.draws[{j}]", place, keys) for j, draw in enumerate(given)]
    refusals.check()
    return draws


def _check_weight(weight: object, where: str) -> None:
    if type(weight) is not int or not 1 <= weight <= WEIGHT_MAX:
        raise refuse(where, "form_weight", _("must be a whole number from 1 to %(most)s"), most=WEIGHT_MAX)


def _draw(draw: object, where: str, form: int | None, keys: list[str]) -> DraftDraw:
    if not isinstance(draw, dict):
        raise refuse(where, "not_an_object", _("must be an object"))
    refusals = Refusals()
    refusals.attempt(known_fields, draw, where, {"alpha", "questions"}, {*SETTINGS, "questions", "sizes"})
    own = refusals.attempt(_keys, draw, keys, f"{where}.questions", form) if "questions" in draw else None
    if own and len(own) > 1:
        refusals.attempt(_check_several, draw, where)
    if own and "sizes" in draw and sizes_of(draw, own) is None:
        rule = _(
            "must be a list with a whole number for each of the draw's questions; of a multiple choice or grid that is "
            "drawn with others, a list of two"
        )
        refusals.refused.append(broken(f"{where}.sizes", "sizes_form", rule))
    refusals.check()
    return DraftDraw(where, form, own or [], draw)


def _check_several(draw: Unchecked, where: str) -> None:
    rule = _("must be left out where several questions are drawn together, by randomized response")
    refusals = [broken(f"{where}.{name}", "joint_own", rule) for name in SETTINGS[1:] if name in draw]
    if refusals:
        raise DraftRefused(*refusals)


def _keys(draw: Unchecked, keys: list[str], where: str, form: int | None) -> list[str]:
    """Return the draw's keys in the order of the survey's questions."""
    own = draw["questions"]
    if not isinstance(own, list) or not own or not all(isinstance(key, str) for key in own):
        raise refuse(where, "empty_draw", _("must be a list with the key of at least one question"))
    if not set(own) <= set(keys):
        raise refuse(where, "draw_keys", _("must hold keys of the survey's questions only"))
    if form is None and len(set(own)) < FEWEST:
        rule = _("must hold two questions or more: one that all respondents are asked alone has an alpha of its own")
        raise refuse(where, "joint_count", rule)
    if len(set(own)) < len(own):
        raise refuse(where, "repeated", _("must differ from each other"))
    return [key for key in dict.fromkeys(keys) if key in own]


def _once(draws: Sequence[DraftDraw]) -> None:
    """Raise DraftRefused if a respondent could be asked a question twice."""
    rule = _("must hold no question of another draw that the same people are asked")
    refusals: list[RuleBreach] = []
    for k, draw in enumerate(draws):
        before = [each for each in draws[:k] if each.form is None or each.form == draw.form]
        if any(set(draw.keys) & set(each.keys) for each in before):
            refusals.append(broken(f"{draw.where}.questions", "draw_overlap", rule))
    if refusals:
        raise DraftRefused(*refusals)


def homes(draws: Sequence[DraftDraw]) -> dict[str, set[int]]:
    """Return the indices of the forms that ask each question, by key. Everyone's questions are not included."""
    forms: dict[str, set[int]] = {}
    for draw in draws:
        for key in draw.keys if draw.form is not None else ():
            forms.setdefault(key, set()).add(cast(int, draw.form))
    return forms


def _conditions(draws: Sequence[DraftDraw], questions: list[Any]) -> None:
    """Raise DraftRefused unless each form asks every question that its conditions name."""
    of = homes(draws)
    rule = _("must be a question of the same forms, or one that all respondents are asked")
    refusals = [
        broken(f"questions[{i}].{field}.question", "form_condition", rule)
        for i, draft in enumerate(questions)
        for field, deciding in (placed(draft) if isinstance(draft, dict) else ())
        if (those := of.get(deciding["question"])) and not (of.get(str(draft.get("key"))) or {-1}) <= those
    ]
    if refusals:
        raise DraftRefused(*refusals)


def _randomized(
    draws: Sequence[DraftDraw], drafts: list[Any], questions: list[Question], budget: Budget, language: str
) -> list[Built]:
    """Return the draws with their tables."""
    refusals, counts = Refusals(), 0
    drawn: list[Built] = []
    by_key = {draft["key"]: draft for draft in drafts}
    for draw in draws:
        own = [question for question in questions if question["key"] in draw.keys]
        every = [each.draft for each in draws if set(each.keys) & set(draw.keys)]
        if len(own) > 1:
            made = refusals.attempt(_together, draw, own)
            counts += cells(definitions.counts(own)) if made else 0
        else:
            made = refusals.attempt(_by_itself, draw, by_key[own[0]["key"]], every, language)
        for question in own:
            with_table = question | (made or {}) if len(own) == 1 else question
            refusals.attempt(budget.spend, cast(Question, with_table), draw.where)
        drawn.append(made or {})
        if budget.spent:  # the rest is not even computed
            break
    if counts > COUNTS_MAX:
        where = "forms" if any(draw.form is not None for draw in draws) else "draws"
        rule = _("must have at most %(most)s combinations of answers in all")
        refusals.refused.append(broken(where, "joint_cost", rule, most=COUNTS_MAX))
    refusals.check()
    _check_pooled(draws, drawn, {question["key"]: question["kind"] for question in questions})
    return drawn


def _together(draw: DraftDraw, questions: Sequence[Question]) -> Built:
    """Return the joint draw of these questions."""
    refusals, where = Refusals(), draw.where
    given = as_text(draw.draft["alpha"])
    alpha = refusals.attempt(randomization.parsed_alpha, given, f"{where}.alpha")
    if any(question["kind"] not in MARGINAL for question in questions):
        known = ", ".join(MARGINAL)
        rule = _("must be of the kinds %(known)s where they are drawn together")
        refusals.refused.append(broken(f"{where}.questions", "joint_kind", rule, known=known))
    refusals.check()
    counts = definitions.counts(questions)
    if draw.sizes and not all(map(subsets.fits, counts, draw.sizes)):
        rule = _(
            "must have for each question a whole number from 1 on that is less than the number of its options, of a "
            "multiple choice or grid first how many of its items are drawn"
        )
        raise refuse(f"{where}.sizes", "sizes_range", rule)
    if prod(map(subsets.symbols, counts)) > CELLS_MAX:
        rule = _("must have at most %(most)s combinations of answers where they are randomized together")
        raise refuse(f"{where}.questions", "joint_size", rule, most=CELLS_MAX)
    assert alpha is not None
    table = randomized_response.table(alpha, counts, draw.sizes)
    return {"alpha": decimal(Decimal(str(given))), "mechanism": TOGETHER, "table": table, "questions": draw.keys}


def _by_itself(draw: DraftDraw, question: Unchecked, every: Sequence[Unchecked], language: str) -> Built:
    """Return a form's draw of one question. Errors in the question itself were refused there."""
    try:
        made = build_cache.build(alone(question, draw.draft, every), "", language)
    except DraftRefused as refused:
        raise DraftRefused(*_at_draw(refused.refusals, draw)) from None
    return _draw_of(made)


def _at_draw(refusals: Sequence[RuleBreach], draw: DraftDraw) -> Iterator[RuleBreach]:
    for refusal in refusals:
        name = refusal.field.removeprefix(".")
        yield refusal._replace(field=f"{draw.where}.{'sizes' if name == 'size' else name}")


def _check_pooled(draws: Sequence[DraftDraw], drawn: Sequence[Built], kinds: Mapping[str, str]) -> None:
    """Raise DraftRefused unless estimates can pool the reports of several forms on a question (M45)."""
    refusals: list[RuleBreach] = []
    for key in homes(draws):
        its_draws = [(draw, made) for draw, made in zip(draws, drawn, strict=True) if key in draw.keys]
        if any(made != its_draws[0][1] for _draw, made in its_draws):
            apart = [draw for draw, made in its_draws if not definitions.is_pooled(made, kinds[key])]
            refusals += [_unlike(draw, kinds[key]) for draw in apart]
    if refusals:
        raise DraftRefused(*refusals)


def _unlike(draw: DraftDraw, kind: str) -> RuleBreach:
    rule = _("must be randomized response in every form that asks the question, or the draws must be the same in all")
    if not set(POOLED) & set(FITTING[kind]):
        rule = _("must be the same in every form that asks the question")
    return broken(f"{draw.where}.mechanism", "draw_pooled", rule)


# The parts of a definition --------------------------------------------------------------------------------------------


def _parts(
    questions: Sequence[Question], places: Sequence[int | None], drawn: Sequence[Built], weights: Sequence[Any]
) -> Built:
    """Return the definition's questions, draws and forms. Draws are ordered by their first question."""
    order = {question["key"]: place for place, question in enumerate(questions)}

    def ordered(draws: list[Built]) -> list[Built]:
        return sorted(draws, key=lambda draw: order[draw["questions"][0]])

    by_form = {
        place: [made for at, made in zip(places, drawn, strict=True) if at == place] for place in {*places, None}
    }
    named = {key for made in drawn for key in made["questions"]}
    everyone = [_draw_of(cast(Drawn, question)) for question in questions if question["key"] not in named]
    made: Built = {
        "questions": [_content(question) for question in questions],
        "draws": ordered(everyone + by_form[None]),
    }
    forms = [{"weight": weight, "draws": ordered(by_form[place])} for place, weight in enumerate(weights)]
    return made | ({"forms": forms} if forms else {})


def _content(question: Question) -> Built:
    return {name: value for name, value in question.items() if name not in RANDOMIZED}


def _draw_of(question: Drawn) -> Built:
    """Return the draw of a question that is randomized alone."""
    return {name: value for name, value in question.items() if name in RANDOMIZED} | {"questions": [question["key"]]}
