"""Drafts that break the rules, at least one per rule, as a file or a program may have brought them."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any
from unittest import mock

from surveys.designer.files import ours
from surveys.life import chain, lifecycle
from surveys.life.lifecycle import Terms, check_relay
from surveys.models import Survey
from surveys.rules.codes import Code
from surveys.rules.refusals import RuleBreach
from surveys.survey.definition import DraftRefused, refusals
from tests.support.drawn import drawn
from tests.support.picture_files import file, noise, of_bytes, photograph, picture, with_chunk

Draft = dict[str, Any]

BASE: Draft = {
    "title": "Wrong",
    "questions": [
        {"key": "a1", "kind": "yes_no", "text": "Yes?", "alpha": "1"},
        {"key": "b1", "kind": "single_choice", "text": "Which?", "options": ["red", "blue"], "alpha": "1"},
        {"key": "c1", "kind": "histogram", "text": "How many?", "edges": ["0", "1", "2"], "alpha": "1"},
        {"key": "d1", "kind": "mean", "text": "How much?", "low": "0", "high": "9", "alpha": "1"},
    ],
}


def _with(place: int = 1, **fields: Any) -> Draft:
    """Return the base with other fields in one question. None removes a field."""
    draft = deepcopy(BASE)
    changed = draft["questions"][place] | fields
    draft["questions"][place] = {name: value for name, value in changed.items() if value is not None}
    return draft


IN_TWO = [{"name": "Sales"}, {"name": "Works"}]


def _in_groups(group: Draft) -> Draft:
    return BASE | {"invitations": True, "groups": [{"name": "Sales"}, group]}


IF_A = {"question": "a1", "options": [0]}


def _asked(place: int = 1, **condition: Any) -> Draft:
    return _with(place, asked_if=IF_A | condition)


def _nobody() -> Draft:
    """Return a contradictory draft: anyone asked the second question has answered the first one against the third one's
    condition."""
    draft = _asked(options=[1])
    condition = {"all": [IF_A, {"question": "b1", "options": [0]}]}
    draft["questions"][2] |= {"asked_if": condition}
    return draft


def _in(tag: str = "de", **texts: Any) -> Draft:
    """Return the base in another language, with these texts replaced."""
    translated: Draft = {"title": "Falsch", "questions": [{"text": "?"} for _ in BASE["questions"]]}
    translated["questions"][1]["options"] = ["rot", "blau"]
    return BASE | {"translations": {tag: translated | texts}}


def _sections(*sections: Any) -> Draft:
    return BASE | {"sections": list(sections)}


def _forms(*forms: Any, place: int = 1, **fields: Any) -> Draft:
    """Return the base in forms, its first two questions together, with other fields in one question."""
    draft = deepcopy(BASE)
    for question in draft["questions"][:3]:
        del question["alpha"]
    draft["questions"][place] |= fields
    return draft | {"forms": list(forms or (TOGETHER, REST))}


def _many_together(count: int, d: int) -> Draft:
    """Return `count` forms of two questions with d options each, randomized together."""
    which = {"kind": "single_choice", "text": "Which?", "options": MANY[:d]}
    keys = [[f"q{k}a", f"q{k}b"] for k in range(count)]
    questions = [{"key": key} | which for pair in keys for key in pair]
    return BASE | {"questions": questions, "forms": [{"draws": [{"questions": pair, "alpha": "1"}]} for pair in keys]}


def _arms(place: int = 4, /, first: tuple[str, ...] = ("b1",), **fields: Any) -> Draft:
    """Return the base with a version of its second question, each in its own form. The first form asks `first`.
    `fields` change one question."""
    draft = deepcopy(BASE)
    draft["questions"].append(draft["questions"][1] | {"key": "e1", "text": "Which one?", "arm_of": "b1"})
    draft["questions"][place] |= fields
    return drawn(draft | {"forms": [{"questions": [*first]}, {"questions": ["e1"]}]})


def _arms_of_everyone() -> Draft:
    """Return the base with a version of a question; all respondents are asked both."""
    draft = deepcopy(BASE)
    draft["questions"].append(draft["questions"][1] | {"key": "e1", "arm_of": "b1"})
    return draft


def _long_arms() -> Draft:
    draft = _arms(options=MANY[:101])
    draft["questions"][1]["options"] = MANY[:101]
    return draft


def _full(shown: Draft, count: int) -> Draft:
    """Return `count` questions with the same picture."""
    return BASE | {"questions": [BASE["questions"][1] | {"key": f"q{i}", "picture": shown} for i in range(count)]}


def _draws(*draws: Any) -> Draft:
    return {"draws": list(draws)}


PAIR = {"questions": ["a1", "b1"], "alpha": "2"}
ALONE = {"questions": ["c1"], "alpha": "1"}
TOGETHER, REST = _draws(PAIR), _draws(ALONE)
KEYS = [each["key"] for each in BASE["questions"]]
SECTION = {"title": "One", "questions": KEYS}
MANY = [f"{i}" for i in range(256)]
COSTLY = {"kind": "grid", "items": [f"i{i}" for i in range(64)], "options": MANY[:32], "alpha": "1", "text": "?"}
TABLES = {"kind": "ordered", "mechanism": "exponential", "options": MANY[:32], "alpha": "1", "text": "?"}

DRAFTS: dict[Code, list[Draft]] = {
    "missing": [_with(alpha=None), _with(3, low=None), _with(asked_if={"question": "a1"}), _in(title="")],
    "unknown_field": [_with(sample=1), _asked(colour=1), BASE | {"colour": "red"}, _in(colour="x")],
    "not_an_object": [
        BASE | {"questions": ["text", *BASE["questions"]]},
        _sections("one"),
        _in() | {"translations": {"de": 1}},
    ],
    "text_length": [_with(text="x" * 2001), BASE | {"title": "x" * 201}, _with(note=5)],
    "invisible_text": [BASE | {"title": "\u200b"}, _with(options=["red", "\u200b"])],
    "control_characters": [_with(text="a\x07b")],
    "noncharacters": [_with(text="a\ufffeb")],
    "turned_direction": [_with(text="a\u202eb")],
    "stacked_marks": [_with(text="a" + "\u0301" * 30)],
    "blank_lines": [_with(text="a" + "\n" * 30 + "b")],
    "list_length": [_with(options=MANY * 2), _with(2, edges=MANY * 2), _with(options=5)],
    "repeated": [_with(options=["red", "red"]), _asked(options=[0, 0])],
    "lookalikes": [_with(options=["red", "r\u0435d"])],
    "number_format": [_with(3, low="x"), _with(2, edges=["0", "x", "2"])],
    "sample_invited": [BASE | {"sample": True}],
    "groups_invited": [BASE | {"groups": IN_TWO}],
    "groups_forms": [_forms() | {"invitations": True, "groups": IN_TWO}],
    "groups_names": [_in_groups({"name": 'The "others"'})],
    "groups_people": [_in_groups({"name": "Works", "people": "many"})],
    "groups_small": [_in_groups({"name": "Works", "people": 19})],
    "not_a_flag": [_with(prefer_not_to_say="yes")],
    "question_count": [BASE | {"questions": []}, BASE | {"questions": [{}] * 201}],
    "repeated_key": [_with(key="a1")],
    "section_count": [_sections(*[SECTION] * 201)],
    "section_order": [_sections(SECTION | {"questions": KEYS[:2]})],
    "empty_section": [_sections(SECTION, {"title": "Two", "questions": []})],
    "estimate_cost": [BASE | {"questions": [COSTLY | {"key": "g1"}]}],
    "table_cost": [BASE | {"questions": [TABLES | {"key": f"t{i}"} for i in range(13)]}],
    "language_tag": [BASE | {"language": "German"}],
    "translation_count": [BASE | {"translations": []}],
    "translation_tags": [BASE | {"translations": {"German": {}}}],
    "own_language": [_in("en")],
    "translation_parts": [_in(questions=[])],
    "translation_lines": [_in(questions=[{"text": "?", "options": ["rot"]} for _ in KEYS])],
    "surplus_text": [_in(introduction="Mehr.")],
    "key_format": [_with(key="A Key")],
    "unknown_kind": [_with(kind="free_text"), _with(kind=5)],
    "category_count": [_with(options=MANY, prefer_not_to_say=True)],
    "no_refusing": [_with(3, prefer_not_to_say=True)],
    "refusing_option": [_with(options=["red", "Prefer not to say"])],
    "unknown_limits": [_with(2, limits="odd"), _with(3, limits=1)],
    "whole_numbers": [_with(2, limits="whole", edges=["0", "1.5", "2"]), _with(3, limits="whole", low="0.5")],
    "edge_order": [_with(2, edges=["0", "2", "1"])],
    "date_format": [_with(kind="date", dates=["2020", "2021-13", "2022"], options=None)],
    "date_precision": [_with(kind="date", dates=["2020", "2021-01", "2022"], options=None)],
    "scale_order": [_with(3, high="0")],
    "alpha_format": [_with(alpha="one")],
    "alpha_range": [_with(alpha="17")],
    "unknown_mechanism": [_with(mechanism="laplace")],
    "mechanism_categories": [_with(kind="ordered", mechanism="exponential", options=MANY[:33])],
    "mechanism_noise": [_with(2, mechanism="gaussian", delta="0.000000000001", alpha="0.01")],
    "delta_missing": [_with(2, mechanism="osgt")],
    "delta_surplus": [_with(2, mechanism="laplace", delta="0.000001")],
    "delta_format": [_with(2, mechanism="osgt", delta="small")],
    "delta_range": [_with(2, mechanism="osgt", delta="0.5")],
    "sample_range": [_with(kind="multiple_choice", sample=3)],
    "sample_cells": [_with(kind="grid", items=["a", "b", "c"], options=MANY[:17], sample=3)],
    "size_range": [_with(size=2), _with(size=0), _with(size="one")],
    "size_surplus": [_with(mechanism="bitwise", size=1)],
    "exclusive_option": [_with(kind="multiple_choice", options=["a", "b"], mechanism=None, exclusive=2)],
    "right_answer": [_with(right=2), _with(0, right=-1), _with(right="red")],
    "right_for_some": [_with(asked_if={"question": "a1", "options": [0]}, right=1)],
    "condition_form": [_with(asked_if="a1")],
    "condition_key": [_asked(question=5)],
    "condition_options": [_asked(options=[])],
    "condition_order": [_asked(question="c1")],
    "condition_kind": [_asked(3, question="c1")],
    "condition_range": [_asked(options=[7])],
    "condition_for_all": [_asked(options=[0, 1])],
    "condition_for_nobody": [_nobody()],
    "condition_count": [_with(asked_if={"all": [IF_A]}), _with(asked_if={"any": "a1"})],
    "condition_twice": [_with(asked_if={"any": [IF_A, IF_A]})],
    "form_count": [_forms(TOGETHER)],
    "form_weight": [_forms(TOGETHER | {"weight": 0}, REST)],
    "empty_form": [_forms(TOGETHER, _draws())],
    "draw_count": [BASE | {"draws": {}}, BASE | {"draws": [PAIR] * 201}],
    "empty_draw": [_forms(TOGETHER, _draws(ALONE | {"questions": []}))],
    "draw_keys": [_forms(TOGETHER, _draws(ALONE | {"questions": ["z1"]}))],
    "draw_overlap": [_forms(TOGETHER, _draws(ALONE, ALONE)), _forms() | {"draws": [PAIR]}],
    "draw_pooled": [
        _forms(_draws(PAIR, ALONE), _draws(ALONE | {"mechanism": "bitwise"})),
        _forms(_draws(PAIR, ALONE | {"mechanism": "laplace"}), _draws(ALONE | {"alpha": "2"})),
    ],
    "drawn_own": [_forms(alpha="1"), _forms(mechanism="bitwise"), _forms(size=1)],
    "form_condition": [_forms(place=2, asked_if={"question": "a1", "options": [0]})],
    "joint_count": [_forms() | {"draws": [{"questions": ["d1"], "alpha": "1"}]}],
    "joint_size": [_many_together(2, 65)],
    "joint_cost": [_many_together(5, 64)],
    "joint_own": [_forms(_draws(PAIR | {name: 1}), REST) for name in ("mechanism", "delta", "sample")],
    "joint_kind": [_forms(place=0, kind="ranking", ranked=["Tea", "Milk", "Juice"])],
    "sizes_form": [_forms(_draws(PAIR | {"sizes": sizes}), REST) for sizes in ([1], [1, "1"], 1)],
    "sizes_range": [_forms(_draws(PAIR | {"sizes": [1, 2]}), REST)],
    "arm_key": [_arms(arm_of="z1"), _arms(arm_of=5)],
    "arm_chain": [_arms(1, arm_of="e1")],
    "arm_parts": [_arms(options=["red", "blue", "green"])],
    "arm_condition": [_arms(asked_if={"question": "a1", "options": [0]})],
    "arm_form": [_arms_of_everyone()],
    "arm_cost": [_long_arms()],
    "relay_format": [BASE | {"relay": each} for each in (1, "relay.example.org", "https://relay.example.org/a/../b")],
    "completion_code_format": [BASE | {"completion_code": each} for each in (1, "-a", "x" * 33)],
    "return_link_format": [
        BASE | {"return_link": each} for each in (1, "https://example.org", "https://example.org/?id={{ID}}")
    ],
    "frame_hosts_count": [
        BASE | {"frame_hosts": each} for each in (1, "https://a.org", [f"https://{n}.org" for n in range(9)])
    ],
    "frame_hosts_format": [
        BASE | {"frame_hosts": [each]} for each in (1, "https://*.org", "https://a.org/", "http://a.org")
    ],
    "accent_format": [BASE | {"accent": each} for each in (1, "red", "#0a5c8", "0a5c8f", {"light": "#0a5c8f"})],
    "accent_contrast": [BASE | {"accent": each} for each in ("#ffffff", "#ff6600")],
    "picture_format": [
        *(_with(picture={"data": each, "width": 1, "height": 1, "alt": "A dot"}) for each in (1, "x", "UklGRg==")),
        _with(picture=of_bytes(photograph(), 90, 60, "A lane")),
        _with(picture=of_bytes(with_chunk(file(form="WEBP"), b"EXIF", b"Heron Lane"), 64, 48, "A lane")),
    ],
    "picture_sides": [_with(pictures=[picture(321, 5), None]), _with(picture=picture(8, 8, "A dot") | {"width": 9})],
    "picture_bytes": [_with(picture=noise(170, "Snow"))],
    "picture_alt": [_with(picture=picture(alt=" ")), BASE | {"logo": picture()}],
    "pictures_kind": [_with(0, pictures=[picture(), None])],
    "pictures_count": [_with(pictures=[picture()]), _with(pictures="red")],
    "pictures_size": [_full(picture(640, 640, "A blue disc"), 20), _full(noise(100, "Snow"), 9)],
    "link_address": [
        BASE | {"thanks": f"[see]({each})"}
        for each in (
            "http://a.org/",
            "javascript:alert(1)",
            "//a.org/",
            "www.a.org",
            "https://A.org/",
            "https://a.org/{id}",
        )
    ],
    "link_for_some": [_with(asked_if={"question": "a1", "options": [0]}, note="[see](https://a.org/)")],
    "link_translation": [
        _in(thanks="[siehe](https://b.org/)") | {"thanks": "[see](https://a.org/)"},
        _in(thanks="siehe") | {"thanks": "[see](https://a.org/)"},
    ],
    "wave_format": [BASE | {"wave_of": {"survey": "-", "digest": "0", "alpha": "2.50"}}],
    "arm_decides": [
        _arms(2, first=("b1", "c1"), asked_if={"question": "b1", "options": [0]}),
    ],
}

FILES: dict[Code, bytes] = {
    "file_encoding": b'{"title": "\xff"}',
    "file_syntax": b"{",
    "more_mistakes": b"{" + b", ".join(b'"x%d": 1' % i for i in range(60)) + b"}",
    "not_a_text": b'{"title": 5}',
    "not_a_whole_number": b'{"questions": [{"sample": "x"}]}',
    "list_size": b'{"questions": 5}',
}


def _without_the_book() -> None:
    """Check a survey on a machine without the book, while there are surveys by invitation."""
    elsewhere = {"by_invitation": lambda: [Survey()], "book_exists": bool}
    with mock.patch.multiple(lifecycle, **elsewhere):
        lifecycle.check_book({"invitations": {"key": ""}})


OPENING: dict[Code, Callable[[], None]] = {
    "batch_size": lambda: Terms(closes_after=1).check(),
    "ends_by_results": lambda: Terms(closes_at_half_width=0.05, publishes_once=True).check(),
    "link_kept": lambda: lifecycle.check_link(Survey(), None),
    "book_elsewhere": _without_the_book,
    "relay_unknown": lambda: check_relay({"relay": {"key": "", "origin": "https://relay.example.org"}}),
    "wave_unknown": lambda: chain.check({"wave_of": {"survey": "gone", "digest": "0" * 64, "alpha": "2"}}),
}


def of(code: Code) -> tuple[RuleBreach, ...]:
    """Return all refusals of the drafts that break this rule."""
    if code in DRAFTS:
        return tuple(refusal for draft in DRAFTS[code] for refusal in refusals(draft))
    try:
        OPENING[code]() if code in OPENING else ours.read(FILES[code])
    except DraftRefused as refused:
        return refused.refusals
    return ()
