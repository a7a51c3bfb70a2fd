"""Texts for respondents: no two options look the same, and no text changes direction, piles up or hides others. Every
language can be written."""

import unicodedata
from copy import deepcopy

import pytest
from django.utils import translation

from ldp.forms.report import alone
from surveys.designer.files import ours
from surveys.survey import definition as definitions
from tests.support import languages
from tests.support.factories import DRAFT

FIELD = "questions[0].options"


def choice(*options, kind="single_choice", **fields):
    question = {"key": "q", "kind": kind, "text": "?", "alpha": "1", "options": list(options)}
    return {"title": "x", "questions": [question | fields]}


def refused(draft):
    return [(refusal.field, str(refusal.rule)) for refusal in definitions.refusals(draft)]


ALIKE = {
    "an invisible space": ("Yes", "Ye\u200bs"),
    "a soft hyphen": ("Yes", "Ye\u00ads"),
    "a mark at the end": ("Yes", "Yes\u200e"),
    "an invisible tag": ("Yes", "Yes\U000e0041"),
    "a Hangul filler": ("Yes", "Yes\u3164"),
    "an empty Braille pattern": ("Yes", "Yes\u2800"),
    "a wide space": ("Not at all", "Not\u2003at all"),
    "Greek": ("OK", "\u039f\u039a"),
    "a Greek omicron": ("No", "N\u03bf"),
    "Cyrillic": ("Ace", "\u0410\u0441\u0435"),
    "Cyrillic beside Greek": ("\u0410", "\u0391"),
    "a capital I for an l": ("Al", "AI"),
    "composed and decomposed": ("Caf\u00e9", "Cafe\u0301"),
    "a ligature": ("fine", "\ufb01ne"),
    "full width": ("Yes", "\uff39\uff45\uff53"),
    "a dash for a hyphen": ("10-20", "10\u201320"),
    "an accent for an apostrophe": ("don't", "don\u00b4t"),
    "a slash of fractions": ("a/b", "a\u2044b"),
    "a ratio for a colon": ("10:30", "10\u223630"),
    "a stretched Arabic word": ("نعم", "نعـــم"),
    "a Persian yeh at the end": ("على", "علی"),
    "Arabic vowels in another order": ("ك\u064e\u0651", "ك\u0651\u064e"),
    "kana and a character": ("カ", "力"),
}


@pytest.mark.parametrize("pair", ALIKE.values(), ids=ALIKE.keys())
def test_no_two_options_look_alike(pair):
    rule = "must look different from each other; numbers 1 and 3 look the same"
    assert refused(choice(pair[0], "other", pair[1])) == [(FIELD, rule)]
    grid = choice("a", "b", kind="grid", items=[pair[0], "other", pair[1]])
    assert refused(grid) == [("questions[0].items", rule)]


def test_translated_options_do_not_look_alike_either():
    draft = deepcopy(languages.DRAFT)
    draft["translations"]["ar"]["questions"][2]["options"] = ["نعم", "لا", "نعـم"]
    (found,) = refused(draft)
    assert found[0] == "translations.ar.questions[2].options" and "numbers 1 and 3" in found[1]


@pytest.mark.parametrize("option", ["Prefer not to s\u0430y", "Prefer not to say\u200b", "Prefer\u00a0not to say"])
def test_no_option_looks_like_what_the_page_adds(option):
    (found,) = refused(choice("a", option, prefer_not_to_say=True))
    assert found[0] == FIELD and "must differ from “Prefer not to say”" in found[1]


@pytest.mark.parametrize(
    "blank", ["\u2800", "\u200b", "\u3164", "\u115f\u1160", "\u2060\ufe0f", "\U000e0041\U000e007f", "\u00ad \u034f"]
)
def test_every_option_and_question_shows_something(blank):
    rule = "must hold characters that can be seen"
    assert refused(choice("a", blank)) == [(f"{FIELD}[1]", rule)]
    assert refused(choice("a", "b", text=blank)) == [("questions[0].text", rule)]
    assert alone(definitions.build(choice("a", "b", note=blank)))[0]["note"] == "", "there is no note"


TURNED = {
    "an override": "\u202edeterap\u202c",
    "an override to the right": "\u202dabc\u202c",
    "an embedding": "\u202babc\u202c",
    "an isolate that nothing closes": "אב \u2067 10 - 20",
    "an isolate that is closed in the next line": "אב \u2067\nא\u2069",
    "an end of no isolate": "אב\u2069",
    "numbers that a mark turns round": "\u200f10 - 20",
    "numbers in an isolate from the right": "\u206710 - 20\u2069",
    "letters elsewhere": "אב \u206710 - 20\u2069",
    "an Arabic mark alone": "\u061c10 - 20",
}


@pytest.mark.parametrize("text", TURNED.values(), ids=TURNED.keys())
def test_nothing_invisible_changes_the_order_in_which_a_text_is_read(text):
    rule = "must not hold invisible characters that change the order in which it is read"
    assert refused(choice("a", f"b {text}")) == [(f"{FIELD}[1]", rule)]
    for field in ("title", "introduction", "consent", "thanks"):
        assert refused(choice("a", "b") | {field: text}) == [(field, rule)]


def test_marks_do_not_pile_up():
    for pile in ("e" + "\u0301" * 6, "\u00e9" + "\u0300" * 5, "x" + "\u0489" * 6):
        found = refused(choice("a", "b", text=pile))
        assert found == [("questions[0].text", "must not have more than 5 marks on one letter")]


@pytest.mark.parametrize("line", ["", " ", "\u2800", "\u200b\u3000"])
def test_empty_lines_do_not_push_the_questions_out_of_sight(line):
    long = choice("a", "b") | {"introduction": "a\n" + f"{line}\n" * 3 + "b"}
    assert refused(long) == [("introduction", "must not have more than 2 empty lines in a row")]
    assert refused(long | {"introduction": f"a\n{line}\n{line}\nb"}) == []


@pytest.mark.parametrize("code", [0xFFFE, 0xFFFF, 0xFDD0, 0xFDEF, 0x1FFFE, 0x10FFFF])
def test_no_text_holds_code_points_that_are_no_characters(code):
    rule = "must not hold code points that are no characters, such as U+FFFE"
    assert refused(choice("a", f"b{chr(code)}")) == [(f"{FIELD}[1]", rule)]
    made = definitions.build(choice("a", "b"))
    made["questions"][0]["options"][1] = f"b{chr(code)}"
    assert not definitions.certified(definitions.canonical(made))


GOOD = {
    "German": ("Überhaupt nicht", "Fußgänger*innen – „häufig“", "Nie (0 %)", "Do\u00adnau\u00addampfer", "10–20 €"),
    "Arabic": ("نعم", "لا", "لَا أَعْرِفُ", "مُطْلَقًا", "كُتِبَ", "كَتَبَ", "ٱلرَّحْمَٰنِ", "علي", "على",
               "١٠ - ٢٠", "\u2068C++\u2069 ممتاز", "هاتف \u200e+49 30 1\u200e", "أكثر من \u206610-20\u2069 سنة",
               "السعر\u200f (١٠)!"),
    "Persian": ("بله", "خیر", "نمی\u200cدانم", "گاهی", "۴ تا ۶", "۷ تا ۹"),
    "Hebrew": ("כן", "לא", "שָׁלוֹם", "וַיְהִ֣י", "\u2067עברית (10)\u2069", "C++\u200f ועוד"),
    "Hindi": ("हाँ", "नहीं", "कभी-कभी", "क्षत्रिय", "ज़्यादातर", "र्\u200dक", "प्रार्थना"),
    "Vietnamese": ("Có", "Không", "Thỉnh thoảng", unicodedata.normalize("NFD", "Không bao giờ"), "Thường xuyên", "Ừ"),
    "Japanese": ("はい", "いいえ", "わからない", "カメラ", "ニュース", "一回", "二回", "へいや", "コーヒー"),
    "Chinese": ("是", "否", "不知道", "口", "田"),
    "Korean": ("네", "아니요", unicodedata.normalize("NFD", "모름")),
    "Thai": ("ใช่", "ไม่ใช่", "ที่อื่น"),
    "Burmese": ("မြွှေ့", "မဟုတ်ဘူး"),
    "Tibetan": ("ཧཱུྃ", "བསྒྲུབས"),
    "Greek": ("Ναι", "Όχι", "Δεν ξέρω", "Ίσως", "ΝΑΙ"),
    "Russian": ("Да", "Нет", "Не знаю", "Всё равно", "Все равно"),
    "Turkish": ("ılık", "ilik", "İyi", "Iyi"),
    "Urdu": ("ہاں", "نہیں", "بہ", "بھ"),
    "emoji": ("👍", "👎", "👍🏽", "👩‍👩‍👧", "❤️", "🏳️‍🌈", "1️⃣", "2️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🇩🇪", "🇦🇹"),
    "numbers": ("1", "I don't know", "0", "O", "x", "x²", "CO₂", "½", "1 – 2", "under 10", "10 or more"),
    "Braille": ("⠓⠑", "⠎⠓⠑"),
}  # fmt: skip


@pytest.mark.parametrize("options", GOOD.values(), ids=GOOD.keys())
def test_every_language_can_be_written(options):
    assert refused(choice(*options)) == []
    assert refused(choice("a", "b", text="\n".join(options), note="\n\n".join(options))) == []
    assert ours.read(ours.write(choice(*options)).encode()) == choice(*options)


def test_the_surveys_that_come_with_it_pass():
    for draft in (DRAFT, languages.DRAFT):
        assert refused(draft) == []


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("en", ("look the same", "can be seen", "order in which it is read", "on one letter", "empty lines", "U+FFFE")),
        ("de", ("sehen gleich aus", "sichtbar", "Reihenfolge", "auf einem Buchstaben", "leere Zeilen", "U+FFFE")),
        ("ar", ("متشابه", "تُرى", "ترتيب قراءته", "على حرف واحد", "أسطر فارغة", "U+FFFE")),
    ],
)
def test_each_rule_is_said_in_the_language_of_the_page(tag, words):
    draft = choice("Yes", "Y\u200bes", text="\u2800", note="\u202ea") | {
        "title": "e" + "\u0301" * 9,
        "introduction": "a\n\n\n\nb",
        "thanks": "\ufffe",
    }
    with translation.override(tag):
        said = " ".join(refusal.message for refusal in definitions.refusals(draft))
    assert [word for word in words if word not in said] == []
