"""Pictures in a definition: frozen pictures, refusals with their rule, and no other change."""

import base64
import copy
import json

import pytest

from surveys.rules import webp
from surveys.rules.shapes import Misshapen
from surveys.survey import definition as definitions
from surveys.survey.definition import pictures
from surveys.survey.definition.languages import in_language
from surveys.survey.definition.translation_texts import follow, slots
from tests.support.factories import DRAFT
from tests.support.picture_files import (
    PICTURED,
    SECRET,
    drawing,
    file,
    noise,
    of_bytes,
    photograph,
    picture,
    with_chunk,
)

BUS = picture(40, 30, "A bus")


def pictured(change=lambda draft: None):
    draft = copy.deepcopy(PICTURED)
    change(draft)
    return draft


def question(draft, key="way"):
    return next(each for each in draft["questions"] if each["key"] == key)


def refused(change):
    return [(each.field, each.code) for each in definitions.refusals(pictured(change))]


def test_they_are_frozen_apart_from_the_questions():
    built = definitions.build(PICTURED)
    plain = definitions.build(
        {"title": PICTURED["title"], "introduction": PICTURED["introduction"]}
        | {"questions": [pictures.without(each) for each in PICTURED["questions"]]}
    )
    assert {name: value for name, value in built.items() if name != "pictures"} == plain
    way = question(PICTURED)
    shown = {name: way["picture"][name] for name in ("data", "height", "width")}
    assert built["pictures"]["questions"]["way"] == shown | {"alt": {"en": "A street with a bus stop"}}
    assert built["pictures"]["options"]["way"] == way["pictures"]
    assert built["pictures"]["logo"]["alt"] == {"en": "The Society for Walking"}
    assert definitions.certified(definitions.canonical(built))
    assert definitions.digest(built) != definitions.digest(plain)


def test_a_survey_without_any_has_the_bytes_that_it_always_had():
    plain = definitions.canonical(definitions.build(DRAFT))
    assert b"pictures" not in plain
    none = copy.deepcopy(DRAFT)
    question(none, "which")["pictures"] = [None for _ in question(none, "which")["options"]]
    assert definitions.canonical(definitions.build(none)) == plain


def test_the_digest_tells_one_picture_from_another():
    other = pictured(lambda draft: question(draft).update(picture=picture(320, 180, "A street with a bus stop")))
    assert definitions.digest(definitions.build(other)) != definitions.digest(definitions.build(PICTURED))


def in_german(draft):
    draft["translations"] = {
        "de": {
            "title": "Unterwegs",
            "introduction": "Drei Fragen.",
            "logo": "Der Verein für das Gehen",
            "questions": [
                {"text": "Gehen Sie zu Fuß?"},
                {
                    "text": "Wie?",
                    "note": "Der längste Teil.",
                    "options": ["Fuß", "Bus", "Bahn"],
                    "picture": "Eine Straße",
                },
                {"text": "Wie steil?", "options": ["Flach", "Sanft", "Steil"], "picture": "Drei Hügel"},
            ],
        }
    }


def test_what_they_show_is_translated_and_the_pictures_are_the_same():
    built = definitions.build(pictured(in_german))
    assert built["pictures"]["questions"]["way"]["alt"] == {"en": "A street with a bus stop", "de": "Eine Straße"}
    assert built["pictures"]["logo"]["alt"]["de"] == "Der Verein für das Gehen"
    assert in_language(built, "de")["pictures"] == built["pictures"]
    assert "picture" not in json.dumps(built["translations"])
    assert {slot.name for slot in slots(PICTURED)} >= {"logo", "questions.1.picture", "questions.2.picture"}


def test_a_translation_lacks_and_has_their_words_where_the_survey_has_them():
    def with_texts(place, **texts):
        def change(draft):
            in_german(draft)
            draft["translations"]["de"]["questions"][place] |= texts

        return change

    assert refused(with_texts(1, picture=" ")) == [("translations.de.questions[1].picture", "missing")]
    assert refused(with_texts(0, picture="Nichts")) == [("translations.de.questions[0].picture", "unknown_field")]
    assert refused(with_texts(1, picture="x" * 301)) == [("translations.de.questions[1].picture", "text_length")]


def test_their_words_in_a_translation_follow_their_question():
    before, after = pictured(in_german), pictured(in_german)
    after["questions"].insert(0, after["questions"].pop(1))
    follow(before, after)
    assert [each.get("picture") for each in after["translations"]["de"]["questions"]] == [
        "Eine Straße", None, "Drei Hügel"
    ]  # fmt: skip


WRONG = {
    "no_object": (lambda way: way.update(picture="x"), "not_an_object"),
    "nothing": (lambda way: way.update(picture=None), "not_an_object"),
    "no_data": (lambda way: way["picture"].pop("data"), "missing"),
    "another_field": (lambda way: way["picture"].update(type="image/webp"), "unknown_field"),
    "an_option_with_words": (lambda way: way["pictures"][0].update(alt="A boot"), "unknown_field"),
    "no_base64": (lambda way: way["picture"].update(data="===="), "picture_format"),
    "another_notation": (lambda way: way["picture"].update(data=way["picture"]["data"] + "\n"), "picture_format"),
    "a_jpeg": (lambda way: way.update(picture=of_bytes(photograph(), 90, 60, "A lane")), "picture_format"),
    "a_png": (lambda way: way.update(picture=of_bytes(file(), 64, 48, "A disc")), "picture_format"),
    "a_drawing": (lambda way: way.update(picture=of_bytes(b"<svg/>" * 9, 9, 9, "A")), "picture_format"),
    "cut_short": (
        lambda way: way.update(picture=of_bytes(file(form="WEBP", quality=90)[:-40], 64, 48, "A disc")),
        "picture_format",
    ),
    "other_sides": (lambda way: way["picture"].update(width=321), "picture_sides"),
    "sides_as_texts": (lambda way: way["picture"].update(width="320"), "picture_sides"),
    "too_wide": (lambda way: way.update(picture=picture(641, 10, "A line")), "picture_sides"),
    "an_option_too_wide": (lambda way: way["pictures"].__setitem__(0, picture(10, 321)), "picture_sides"),
    "too_heavy": (lambda way: way.update(picture=noise(170, "Snow")), "picture_bytes"),
    "no_words": (lambda way: way["picture"].update(alt=" \n"), "picture_alt"),
    "words_left_out": (lambda way: way["picture"].pop("alt"), "picture_alt"),
    "many_words": (lambda way: way["picture"].update(alt="x" * 301), "text_length"),
    "turned_words": (lambda way: way["picture"].update(alt="a\u202eb"), "turned_direction"),
    "too_few": (lambda way: way["pictures"].pop(), "pictures_count"),
    "no_list": (lambda way: way.update(pictures={"0": None}), "pictures_count"),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_rule_that_is_broken_is_named_with_its_field(name):
    change, code = WRONG[name]
    ((field, said),) = refused(lambda draft: change(question(draft)))
    assert said == code and field.startswith("questions[1].picture"), field


@pytest.mark.parametrize("kind", ["grid", "yes_no", "histogram"])
def test_only_options_of_choices_and_scales_have_pictures(kind):
    draft = copy.deepcopy(DRAFT)
    draft["questions"] = [
        {"key": "q", "kind": "grid", "text": "?", "alpha": "1", "items": ["a", "b"], "options": ["c", "d"]}
        if kind == "grid"
        else next(each for each in DRAFT["questions"] if each["kind"] == kind)
    ]
    draft["questions"][0] = draft["questions"][0] | {"pictures": [picture(), None], "picture": BUS}
    assert [each.code for each in definitions.refusals(draft)] == ["pictures_kind"]


def test_one_that_would_fill_memory_is_refused_before_it_is_decoded():
    head = file(drawing(16, 16), "WEBP", lossless=True)
    huge = head[:21] + ((16383 | 16383 << 14).to_bytes(4, "little")) + head[25:]
    assert webp.size(huge) == (16384, 16384)
    given = of_bytes(huge, 16384, 16384, "A wall")
    assert refused(lambda draft: question(draft).update(picture=given)) == [
        ("questions[1].picture", "picture_sides")
    ]  # fmt: skip


@pytest.mark.parametrize("options", [{"exif": b"Exif\0\0" + SECRET}, {"icc_profile": SECRET}, {"xmp": SECRET}])
def test_no_file_that_holds_more_than_what_is_seen_is_taken(options):
    holding = file(form="WEBP", **options)
    assert SECRET in holding and webp.size(holding) is None


@pytest.mark.parametrize("name", [b"EXIF", b"XMP ", b"ICCP", b"ANIM", b"ANMF", b"NOTE", b"VP8 "])
def test_no_other_chunk_and_nothing_after_the_last_one_is_taken(name):
    plain = file(form="WEBP", lossless=True)
    assert webp.size(plain) == (64, 48)
    assert webp.size(with_chunk(plain, name, SECRET)) is None
    assert webp.size(plain + b"\0\0") is None and webp.size(plain[:-2]) is None and webp.size(b"") is None


def test_neither_is_one_that_moves():
    moving = file(form="WEBP", save_all=True, append_images=[drawing(colour="#000")])
    assert webp.size(moving) is None


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("lossless", [True, False])
@pytest.mark.parametrize("size", [(1, 1), (3, 640), (639, 5), (320, 96)])
def test_every_plain_one_is_read_with_its_size(mode, lossless, size):
    assert webp.size(file(drawing(*size, mode=mode), "WEBP", lossless=lossless)) == size


def test_what_is_beyond_the_bounds_is_not_decoded(monkeypatch):
    """Small files of many pixels are as costly as large ones: a draft of 2 MB has room for 20,000."""
    decoded = []
    monkeypatch.setattr(pictures, "_is_picture", lambda data: decoded.append(data) or True)

    def change(draft):
        options = {"options": [f"{i}" for i in range(250)], "pictures": [picture(320, 320)] * 250}
        draft["questions"][1] |= options

    codes = {code for _field, code in refused(change)}
    assert "pictures_size" in codes and len(decoded) < 80
    decoded.clear()
    built = definitions.build(PICTURED)
    built["pictures"]["options"]["way"] = [picture(320, 320)] * 79
    built["questions"][1]["options"] = [f"{i}" for i in range(80)]
    decoded.clear()
    with pytest.raises(Misshapen):
        pictures.check(built)
    assert decoded == []


def test_all_together_are_bounded_in_bytes_and_in_pixels():
    codes = [
        {each.code for each in definitions.refusals(PICTURED | {"questions": _many(shown, count)})}
        for shown, count in ((noise(100, "Snow"), 8), (noise(100, "Snow"), 9), (picture(640, 640, "Sky"), 19))
    ]
    assert codes == [set(), {"pictures_size"}, set()]
    last = definitions.refusals(PICTURED | {"questions": _many(picture(640, 640, "Sky"), 20)})
    assert [(each.field, each.code) for each in last] == [("questions[19].picture", "pictures_size")]


def _many(shown, count):
    yes_no = {"kind": "yes_no", "text": "?", "alpha": "0.1", "picture": shown}
    return [yes_no | {"key": f"q{i}"} for i in range(count)]


# Definitions ----------------------------------------------------------------------------------------------------------

ALTERED = {
    "null": lambda held: held.update(pictures=None),
    "a list": lambda held: held.update(pictures=[]),
    "empty": lambda held: held.update(pictures={}),
    "an empty part": lambda held: held["pictures"].update(questions={}),
    "another part": lambda held: held["pictures"].update(sections={"way": held["pictures"]["logo"]}),
    "of no question": lambda held: held["pictures"]["questions"].update(other=held["pictures"]["questions"]["way"]),
    "options of no question": lambda held: held["pictures"]["options"].update(other=[None]),
    "options of a number": lambda held: held["pictures"]["options"].update(
        walks=[held["pictures"]["options"]["way"][0]]
    ),
    "too few": lambda held: held["pictures"]["options"]["way"].pop(),
    "no words": lambda held: held["pictures"]["logo"].pop("alt"),
    "words in another language": lambda held: held["pictures"]["logo"]["alt"].update(de="Der Verein"),
    "words that are none": lambda held: held["pictures"]["logo"].update(alt="The Society"),
    "many words": lambda held: held["pictures"]["logo"]["alt"].update(en="x" * 301),
    "an option with words": lambda held: held["pictures"]["options"]["way"][0].update(alt={"en": "A boot"}),
    "another width": lambda held: held["pictures"]["logo"].update(width=321),
    "no width": lambda held: held["pictures"]["logo"].pop("width"),
    "half a height": lambda held: held["pictures"]["logo"].update(height=59.5),
    "an address": lambda held: held["pictures"]["logo"].update(data="https://example.org/logo.webp"),
    "a drawing": lambda held: held["pictures"]["logo"].update(data=base64.b64encode(b"<svg>1").decode()),
    "half base64": lambda held: held["pictures"]["logo"].update(data=held["pictures"]["logo"]["data"][:-1]),
    "no text": lambda held: held["pictures"]["logo"].update(data=5),
}


@pytest.mark.parametrize("name", ALTERED)
def test_a_definition_whose_pictures_are_none_is_not_certified(name):
    held = json.loads(definitions.canonical(definitions.build(PICTURED)))
    ALTERED[name](held)
    assert not definitions.certified(definitions.canonical(held))
