"""Short drafts with forms: each form names its questions, and has an alpha if they are drawn together."""

from copy import deepcopy
from typing import Any

OWN = ("alpha", "mechanism", "delta", "sample")


def drawn(draft: dict[str, Any]) -> dict[str, Any]:
    """Return the draft with draws in its forms. Here a form names its `questions`. If the form has an alpha, all its
    questions share one draw. Otherwise each question has a draw, and the question's settings of its randomization move
    there."""
    made = deepcopy(draft)
    by_key = {question["key"]: question for question in made["questions"]}
    made["forms"] = [_form(form, by_key) for form in made.get("forms", ())]
    for form in made["forms"]:
        for draw in form["draws"]:
            for key in draw["questions"]:
                for name in (*OWN, "size"):
                    by_key[key].pop(name, None)
    return made


def _form(form: dict[str, Any], by_key: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in form.items() if name in ("weight",)}
    if "alpha" in form:
        return kept | {"draws": [{name: value for name, value in form.items() if name != "weight"}]}
    return kept | {"draws": [_draw(by_key[key]) for key in form["questions"]]}


def _draw(question: dict[str, Any]) -> dict[str, Any]:
    own = {"questions": [question["key"]]} | {name: question[name] for name in OWN if name in question}
    return own | ({"sizes": [question["size"]]} if "size" in question else {})
