"""The forms and draws of a draft: who is asked a question, and which questions are randomized together.

`draws` is a list of {"questions": [keys], "alpha": "2", "sizes": [1, 2]}, the joint draws for everyone. `forms` is a
list of {"weight": 2, "draws": [draws]}. There a draw of one question may also have a mechanism, delta and sample. A
question in a draw has none of these fields itself. Other questions are drawn by themselves, for everyone. A question
may be in several forms, once in each. A settled draft has no forms, or two or more; they follow its questions.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, cast

from ldp.exact import parse_alpha
from ldp.kinds import KINDS
from ldp.mechanisms import MARGINAL
from ldp.planning import budget
from surveys.rules.draft import Draft, Draw, Form, Question, rewrite, without
from surveys.rules.refusals import as_text
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Unchecked, as_list, as_object
from surveys.survey.definition.forms import SETTINGS, sizes_of, takes_size
from surveys.survey.definition.randomization import OWN

FEWEST = 2


def forms_of(draft: Draft) -> list[Form]:
    """Return the forms of a settled draft."""
    return draft.get("forms", [])


def draws_of(draft: Draft, form: Form | None) -> list[Draw]:
    """Return the form's draws, or the joint draws for everyone."""
    return draft.get("draws", []) if form is None else form["draws"]


def all_draws(draft: Draft) -> list[Draw]:
    return [*draft.get("draws", []), *(draw for form in forms_of(draft) for draw in form["draws"])]


def keys_of(form: Form) -> list[str]:
    """Return the keys of the form's questions."""
    return [key for draw in form["draws"] for key in draw["questions"]]


def homes(draft: Draft, key: str) -> list[Form]:
    """Return the forms that ask the question; [] if everyone is asked."""
    return [form for form in forms_of(draft) if key in keys_of(form)]


def home(draft: Draft, key: str) -> Form | None:
    """Return the first form that asks the question; None if everyone is asked."""
    return next(iter(homes(draft, key)), None)


def draws_with(draft: Draft, key: str) -> list[Draw]:
    """Return the draws that name the question."""
    return [draw for draw in all_draws(draft) if key in draw["questions"]]


def draw_in(draft: Draft, key: str, form: Form | None) -> Draw | None:
    """Return the draw of the form, or of everyone, that names the question; None if there is none."""
    return next((draw for draw in draws_of(draft, form) if key in draw["questions"]), None)


def is_joint(draw: Draw) -> bool:
    """Return whether it randomizes several questions together."""
    return len(draw["questions"]) > 1


def members(draft: Draft, form: Form) -> list[Question]:
    """Return the form's questions, in the order of the survey."""
    own = keys_of(form)
    return [question for question in draft["questions"] if question["key"] in own]


def everyone(draft: Draft) -> list[Question]:
    """Return the questions without a form."""
    return [question for question in draft["questions"] if not homes(draft, question["key"])]


def may_join(question: Question) -> bool:
    """Return whether questions of its kind can be randomized together with others."""
    kind = question.get("kind")
    return not isinstance(kind, str) or kind not in KINDS or kind in MARGINAL


def parsed(alpha: object) -> Fraction | None:
    """Return a draft's alpha as a fraction; None if it is invalid."""
    try:
        return parse_alpha(str(as_text(alpha)))
    except ValueError:
        return None


def alpha_of(form: Form) -> Fraction | None:
    """Return the sum of the alphas of the form's draws; None if a draw has none yet."""
    alphas = [parsed(draw.get("alpha")) for draw in form["draws"]]
    return None if None in alphas else sum(filter(None, alphas), Fraction(0))


def usual_weight(draft: Draft) -> int:
    """Return the mean of the forms' weights, for a new form."""
    weights = [form["weight"] for form in forms_of(draft) if type(form["weight"]) is int]
    return max(1, round(sum(weights) / max(len(weights), 1)))


# A question with its randomization ------------------------------------------------------------------------------------


def settings_of(draft: Draft, question: Question) -> Unchecked | None:
    """Return the settings of the question, or of its single draw. Return None in a joint draw or several draws."""
    draws = draws_with(draft, question["key"])
    if not draws:
        return {name: question[name] for name in OWN if name in question}  # type: ignore[literal-required]
    return None if len(draws) > 1 or is_joint(draws[0]) else draw_settings(draws[0])


def draw_settings(draw: Unchecked) -> dict[str, object]:
    """Return the settings of a draw of one question, named like a question's."""
    made: dict[str, object] = {name: draw[name] for name in SETTINGS if name in draw}
    sizes = draw.get("sizes")
    return made | ({"size": sizes[0]} if isinstance(sizes, list) and len(sizes) == 1 else {})


def give_back(question: Question, draw: Draw) -> None:
    """Move the settings of a draw of one question to the question."""
    own = draw_settings(draw)
    if not takes_size(question):  # with two options a report lists one
        own.pop("size", None)
    rewrite(question, without(question, OWN) | own)


def draw_of(key: str, settings: Unchecked) -> Draw:
    """Return a draw of one question with these settings."""
    made = {"questions": [key]} | {name: settings[name] for name in SETTINGS if name in settings}
    return cast(Draw, made | ({"sizes": [settings["size"]]} if "size" in settings else {}))


def part_of(draft: Draft, question: Question) -> Question:
    """Return the question with the settings of its single draw: the part that a designer edits."""
    return cast(Question, without(question, OWN) | dict(settings_of(draft, question) or {}))


def put_part(draft: Draft, question: Question, part: Unchecked) -> None:
    """Replace the question by the part, in place. A single draw of the question gets the settings. They are dropped for
    a joint draw or several draws."""
    draws, settings = draws_with(draft, question["key"]), {name: part[name] for name in OWN if name in part}
    rewrite(question, without(part, OWN) if draws else part)
    if len(draws) == 1 and not is_joint(draws[0]):
        rewrite_draw(draws[0], draw_of(part["key"], settings))


def rewrite_draw(draw: Draw, content: Draw) -> None:
    """Replace the draw's content, in place."""
    held = cast(dict[str, Any], draw)
    held.clear()
    held.update(content)


def release(question: Question) -> dict[str, object]:
    """Remove the question's settings, because a draw gets them; return them."""
    own = {name: question[name] for name in OWN if name in question}  # type: ignore[literal-required]
    rewrite(question, without(question, OWN))
    return own


# Settling after changes to questions ----------------------------------------------------------------------------------


def settle(draft: Draft) -> None:
    """Give the draft's draws and forms their shape, in place. They name existing questions, each once per person. Joint
    draws have only questions that can be together. Fewer than two forms are dissolved."""
    if "forms" not in draft and "draws" not in draft:
        return
    shared = _settled(draft, as_list(draft.get("draws")), set())
    taken_keys = {key for draw in shared for key in draw["questions"]}
    forms = [_form(draft, as_object(form), taken_keys) for form in as_list(draft.get("forms"))]
    _store(draft, shared, [form for form in forms if form["draws"]])
    if len(forms_of(draft)) < FEWEST:
        dissolve(draft)
    for question in draft["questions"]:
        if draws_with(draft, question["key"]):
            release(question)


def _form(draft: Draft, form: Unchecked, before: set[str]) -> Form:
    kept = {name: value for name, value in form.items() if name != "draws"}
    return cast(Form, {"weight": 1} | kept | {"draws": _settled(draft, as_list(form.get("draws")), before)})


def _store(draft: Draft, shared: Sequence[Draw], forms: Sequence[Form]) -> None:
    """Store everyone's draws and the forms. A draw of one question becomes the question's settings."""
    by_key = {question["key"]: question for question in draft["questions"]}
    for draw in shared:
        if not is_joint(draw):
            question = by_key[draw["questions"][0]]
            give_back(question, draw)
    draft.pop("draws", None)
    draft.pop("forms", None)
    if together := [draw for draw in shared if is_joint(draw)]:
        draft["draws"] = sorted(together, key=lambda draw: [*by_key].index(draw["questions"][0]))
    if forms:
        draft["forms"] = list(forms)


def _settled(draft: Draft, draws: Sequence[object], before: set[str]) -> list[Draw]:
    """Return these draws with their existing questions that are not in `before`, in order."""
    left = [question["key"] for question in draft["questions"] if question["key"] not in before]
    made: list[Draw] = []
    for draw in map(as_object, draws):
        named = as_list(draw.get("questions"))
        keys = [key for key in left if key in named]
        left = [key for key in left if key not in keys]
        made += _apart(draft, cast(Draw, draw), keys) if keys else []
    order = [question["key"] for question in draft["questions"]]
    return sorted(made, key=lambda draw: order.index(draw["questions"][0]))


def _apart(draft: Draft, draw: Draw, keys: list[str]) -> Iterator[Draw]:
    """Yield the draw with these keys. Questions that cannot be in a joint draw leave it with an equal part of the
    alpha. Sizes follow their questions; they are dropped if questions come or go."""
    alone = [each["key"] for each in draft["questions"] if each["key"] in keys and not may_join(each)]
    if len(keys) == 1 or not alone:
        yield _with(draw, keys)
        return
    left = [key for key in keys if key not in alone]
    parts = _parts(draw.get("alpha"), len(keys))
    for key, part in zip(alone, parts, strict=False):
        yield cast(Draw, {"questions": [key]} | ({} if part is None else {"alpha": part}))
    if left:
        alphas = [parsed(part) for part in parts[len(alone) :]]
        rest = {} if None in alphas else {"alpha": decimal(sum(filter(None, alphas), Fraction(0)))}
        yield cast(Draw, {"questions": left} | rest)


def _with(draw: Draw, keys: list[str]) -> Draw:
    surplus = SETTINGS[1:] if len(keys) > 1 or len(as_list(draw.get("questions"))) > 1 else ()
    made = {name: value for name, value in draw.items() if name not in (*surplus, "sizes")} | {"questions": keys}
    sizes = sizes_of(draw, keys)
    return cast(Draw, made | ({"sizes": sizes} if sizes and len(draw["questions"]) == len(keys) else {}))


def _parts(alpha: object, count: int) -> Sequence[Any]:
    """Return equal parts of the alpha. A single part is the present text, right or wrong."""
    if count == 1:
        return [alpha]
    try:
        return [decimal(part) for part in budget.equal(parsed(alpha) or Fraction(0), count)]
    except ValueError:
        return [None] * count


def dissolve(draft: Draft) -> None:
    """Ask everyone everything. A question in several forms keeps the first form's draw."""
    shared, before = list(draft.get("draws", [])), set[str]()
    before |= {key for draw in shared for key in draw["questions"]}
    for form in forms_of(draft):
        own = _settled(draft, form["draws"], before)
        shared += own
        before |= {key for draw in own for key in draw["questions"]}
    _store(draft, shared, [])


def separate(draw: Draw) -> list[Draw]:
    """Return a draw for each question of the draw, with an equal part of the alpha."""
    parts = _parts(draw.get("alpha"), len(draw["questions"]))
    alphas = [{} if part is None else {"alpha": part} for part in parts]
    return [cast(Draw, {"questions": [key]} | alpha) for key, alpha in zip(draw["questions"], alphas, strict=True)]


def follow(draft: Draft, key: str, other: str) -> None:
    """Let the draws name the question by its new key."""
    for draw in all_draws(draft):
        draw["questions"] = [other if name == key else name for name in draw["questions"]]


def accompany(draft: Draft, key: str, other: str) -> None:
    """Add a question to every draw of another one. If the other is drawn alone, this one gets a similar draw beside
    it."""
    question = next(each for each in draft["questions"] if each["key"] == key)
    for form in [None, *homes(draft, other)]:
        draw = draw_in(draft, other, form)
        if draw is None:
            continue
        release(question)
        if is_joint(draw):
            take(draw, [*draw["questions"], key])
        else:
            draws_of(draft, form).append(draw | {"questions": [key]})


def take(draw: Draw, keys: Sequence[str]) -> None:
    """Give a draw other questions, with the best sizes."""
    draw["questions"] = list(keys)
    draw.pop("sizes", None)


def drop(draft: Draft, form: Form | None, key: str) -> None:
    """Remove a question from the form, or from everyone's joint draw."""
    for draw in draws_of(draft, form):
        if key in draw["questions"]:
            take(draw, [name for name in draw["questions"] if name != key])
    kept = [draw for draw in draws_of(draft, form) if draw["questions"]]
    draws_of(draft, form)[:] = kept
