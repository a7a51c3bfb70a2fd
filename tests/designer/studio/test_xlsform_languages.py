"""XLSForms in several languages are imported, and surveys in several languages are exported."""

import io
import time

import pytest
from pyxform.xls2xform import convert

from surveys.designer.xlsform import sandbox, writer
from surveys.designer.xlsform.languages import name_with_tag, tag_of
from surveys.survey import definition as definitions
from tests.support import languages
from tests.support.workbooks import form, imported, named, row, workbook


def spoken(*texts, columns=("English (en)", "German (de)"), choices=(), **settings):
    """Return a form of yes-no questions with a text in each language, and of lists with one language."""
    labels = [f"label::{column}" for column in columns]
    survey = [["type", "name", *labels], *([f"select_one {kind}", name, *said] for kind, name, *said in texts)]
    lists = [["list_name", "name", *labels], *choices]
    sheets = {"settings": [list(settings), list(settings.values())]} if settings else {}
    return workbook(survey=survey, choices=lists, **sheets)


YES_NO_BOTH = [["yn", "y", "Yes", "Ja"], ["yn", "n", "No", "Nein"]]


def test_texts_in_several_languages_become_the_survey_and_its_translations():
    choices = [*YES_NO_BOTH, ["size", "s", "Small", "Klein"], ["size", "l", "Large", "Gro\u00df"]]
    questions = [
        ("yn", "own", "Do you own it?", "Geh\u00f6rt es Ihnen?"),
        ("size", "how", "How large?", "Wie gro\u00df?"),
    ]
    titled = {"form_title": "Home", "form_title::German (de)": "Zuhause"}
    read = imported(spoken(*questions, choices=choices, default_language="English (en)", **titled))
    assert (read.draft["title"], read.draft["language"]) == ("Home", "en")
    assert [(each["kind"], each["text"]) for each in read.draft["questions"]] == [
        ("yes_no", "Do you own it?"),
        ("single_choice", "How large?"),
    ]
    assert read.draft["translations"] == {
        "de": {
            "title": "Zuhause",
            "questions": [
                {"text": "Geh\u00f6rt es Ihnen?"},
                {"text": "Wie gro\u00df?", "options": ["Klein", "Gro\u00df"]},
            ],
        }
    }
    assert definitions.build(read.draft)["translations"].keys() == {"de"}
    turned = imported(spoken(*questions, choices=choices, default_language="German (de)", **titled)).draft
    assert (turned["language"], turned["questions"][0]["kind"]) == ("de", "yes_no")
    assert turned["translations"]["en"]["questions"][1]["options"] == ["Small", "Large"]


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        *(("German (de)", "de"), ("Deutsch", "de"), ("german", "de"), ("de", "de"), ("Anything ( DE )", "de")),
        *(("Arabic (ar)", "ar"), ("\u0627\u0644\u0639\u0631\u0628\u064a\u0651\u0629", "ar")),
        *(
            ("Portugu\u00eas (pt_br)", "pt-BR"),
            ("Chinese (zh-hant-tw)", "zh-Hant-TW"),
            ("English (GB) (en-gb)", "en-GB"),
        ),
        *(("default", ""), ("Language 1", ""), ("Klingon", ""), ("(x)", ""), ("German (de) old", ""), ("", "")),
        *(("(de-x)", ""), ("(abcd)", ""), ("\u0434\u0435 (\u0434\u0435)", ""), ("(" * 30_000, "")),
    ],
)
def test_a_language_is_known_by_its_tag_or_by_its_name(name, tag):
    assert tag_of(name) == tag
    assert not tag or tag_of(name_with_tag(tag)) == tag


def test_languages_that_a_survey_cannot_have_are_named_as_left_out():
    columns = ("English (en)", "Language 2", "British (en)", "German (de)", "Deutsch")
    choices = [["yn", "y", "Yes", "", "", "", ""], ["yn", "n", "No", "", "", "", ""]]
    read = imported(spoken(("yn", "q", *"abcde"), columns=columns, choices=choices, default_language="English (en)"))
    assert list(read.draft["translations"]) == ["de"]
    assert named(read, "Languages without a tag", "left out") == ["Language 2"]
    assert named(read, "from another column", "left out") == ["British (en)", "Deutsch"]


def test_a_language_that_the_page_does_not_speak_is_taken_and_its_words_of_yes_and_no_too():
    columns = ("English (en)", "Dutch (nl)")
    choices = [["yn", "y", "Yes", "Oui"], ["yn", "n", "No", "Non"]]
    read = imported(spoken(("yn", "q", "Ask?", "Demander ?"), columns=columns, choices=choices))
    assert named(read, "does not speak", "changed") == ["Dutch (nl)"]
    (question,) = read.draft["questions"]
    assert (question["kind"], question["options"]) == ("single_choice", ["Yes", "No"])
    assert read.draft["translations"]["nl"]["questions"] == [{"text": "Demander ?", "options": ["Oui", "Non"]}]


def test_what_is_not_translated_stays_to_be_done_and_is_named():
    choices = [*YES_NO_BOTH, ["size", "s", "Small", "Klein"], ["size", "l", "Large", ""]]
    read = imported(spoken(("size", "q", "Ask?", ""), ("yn", "r", "", "Fragen?"), choices=choices, form_title="T"))
    assert named(read, "not translated", "choose") == ["size (de)", "q (de)", "form_title (de)"]
    assert named(read, "do not exist in the survey's own language", "choose") == ["r"]
    assert read.draft["questions"][1]["text"] == read.draft["translations"]["de"]["questions"][1]["text"] == "Fragen?"
    assert {(each.field, each.rule) for each in definitions.refusals(read.draft)} == {
        ("translations.de.title", "is missing"),
        ("translations.de.questions[0].text", "is missing"),
        ("translations.de.questions[0].options[1]", "is missing"),
    }


def test_a_form_whose_own_language_has_no_tag_counts_as_english_and_says_so():
    read = imported(spoken(("yn", "q", "Ask?", "Fragen?"), columns=("Local", "German (de)"), choices=YES_NO_BOTH))
    assert "language" not in read.draft and list(read.draft["translations"]) == ["de"]
    assert named(read, "counts as English", "choose") == []
    plain = imported(form(row("select_one yes_no", "q", "?"), default_language="German (de)")).draft
    assert plain["language"] == "de" and "translations" not in plain
    assert "language" not in imported(form(row("select_one yes_no", "q", "?"))).draft


def test_what_is_put_together_from_several_rows_is_so_in_each_language():
    columns = ["type", "name", "label::English (en)", "label::German (de)", "hint::English (en)", "hint::German (de)"]
    rows = [
        ["note", "one", "Hello", "Hallo"],
        ["note", "two", "You", "Sie", "there", "da"],
        ["begin_group", "outer", "Home", "Zuhause"],
        ["begin_group", "inner", "Kitchen", "K\u00fcche"],
        ["note", "about", "On it.", "Dazu."],
        ["integer", "age", "How old is it?", "Wie alt ist sie?", "Years", "Jahre"],
        ["note", "more", "More", "Mehr"],
        ["select_one yn", "new", "New?", "Neu?"],
        *(["end_group"], ["end_group"], ["note", "bye", "Bye", "Tsch\u00fcss"]),
    ]
    choices = [["list_name", "name", *columns[2:4]], *YES_NO_BOTH]
    draft = imported(workbook(survey=[columns, *rows], choices=choices)).draft
    assert draft["introduction"] == "Hello\n\nYou\nthere"
    assert draft["translations"]["de"] | {"title": ""} == {
        "title": "",
        "introduction": "Hallo\n\nSie\nda",
        "thanks": "Tsch\u00fcss",
        "sections": [{"title": "Zuhause \u2013 K\u00fcche", "text": "Dazu."}],
        "questions": [{"text": "Wie alt ist sie?", "note": "Jahre"}, {"text": "Neu?", "note": "Mehr"}],
    }


def test_a_survey_in_three_languages_comes_back_from_a_form_that_other_tools_read():
    data = writer.write(definitions.build(languages.DRAFT), "city")
    assert all(
        f'<translation lang="{name}"' in convert(io.BytesIO(data)).xform for name in ("Deutsch (de)", "English (en)")
    )
    read = imported(data)
    assert read.draft["language"] == "de" and set(read.draft["translations"]) == {"en", "ar"}
    assert not any("not translated" in remark.text for remark in read.remarks)
    lost = {remark.text: remark.names for remark in writer.remarks(definitions.build(languages.DRAFT))}
    assert lost["The title in other languages."] == [name_with_tag("ar"), "English (en)"]
    for tag, texts in languages.DRAFT["translations"].items():
        back = read.draft["translations"][tag]
        assert {name: back[name] for name in ("title", "introduction", "consent", "thanks")} == {
            name: texts[name] for name in ("title", "introduction", "consent", "thanks")
        }
        assert [each["title"] for each in back["sections"]] == [each["title"] for each in texts["sections"]]
        for before, after in zip(texts["questions"], back["questions"], strict=True):
            assert after.get("note", "") == before["note"]
            assert {name: before.get(name) for name in ("text", "options", "items", "unit")} == {
                name: after.get(name) for name in ("text", "options", "items", "unit")
            }


def test_options_that_are_the_same_in_one_language_alone_have_lists_of_their_own():
    draft = {"title": "T", "language": "de", "translations": {"en": {"title": "T", "questions": []}}, "questions": []}
    for key, said in (("a", ["bank", "shore"]), ("b", ["bench", "shore"])):
        draft["questions"].append(
            {"key": key, "kind": "single_choice", "text": "?", "options": ["Bank", "Ufer"], "alpha": "1"}
        )
        draft["translations"]["en"]["questions"].append({"text": "?", "options": said})
    back = imported(writer.write(definitions.build(draft), "t")).draft
    assert [each["options"] for each in back["translations"]["en"]["questions"]] == [
        ["bank", "shore"],
        ["bench", "shore"],
    ]


def test_a_thousand_languages_become_sixteen():
    tags = [f"{a}{b}" for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnopqrstuvwxyz"]
    columns = [f"L (q{tag})" for tag in tags] + [f"L{i} \u202e<b>\u0000".replace("\u0000", "") for i in range(324)]
    texts = [f"Text {i}" for i in range(len(columns))]
    began = time.monotonic()
    read = imported(
        spoken(("yn", "q", *texts), columns=columns, choices=[["yn", "y", *texts], ["yn", "n", *texts[::-1]]])
    )
    assert time.monotonic() - began < sandbox.SECONDS
    assert (read.draft["language"], len(read.draft["translations"])) == ("qaa", 15)
    assert len(named(read, "after the first 16")) == 676 - 16
    assert len(named(read, "without a tag")) == 324
    assert not definitions.refusals(read.draft | {"title": "T"}) or all(
        each.rule == "is missing" for each in definitions.refusals(read.draft)
    )
