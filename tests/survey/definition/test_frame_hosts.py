"""Pages that may hold a survey in a frame: the permitted entries in drafts and definitions."""

import pytest

from surveys.survey import definition as definitions
from surveys.survey.definition import frame_hosts
from tests.support.factories import DRAFT

SOUND = [
    ["https://www.example.org"],
    ["https://a.org:8443", "https://b.org", "http://localhost:8080", "http://127.0.0.1"],
    [f"https://{place}.example.org" for place in range(frame_hosts.MOST)],
    ["https://" + "a" * (frame_hosts.LENGTH - len("https://"))],
]
MALFORMED = [
    *(
        "*",
        "https://*",
        "https://*.example.org",
        "https://",
        "https:",
        "example.org",
        "'self'",
        "",
        None,
        5,
        ["https://a.org"],
    ),
    *("http://example.org", "http://localhost.example.org", "http://127.0.0.11", "http://0.0.0.0", "//a.org", "data:"),
    *("https://a.org/", "https://a.org/b", "https://a.org?b", "https://a.org#b", "https://me@a.org", "https://A.org"),
    *(
        "https://a.org:443",
        "http://localhost:80",
        "https://a.org:0",
        "https://a.org:08443",
        "https://a.org:99999",
        "https://a.org:",
        "https://a.org; x",
    ),
    *("https://a.org\n", " https://a.org", "https://a.org https://b.org", "https://" + "a" * frame_hosts.LENGTH),
]
REFUSED = {
    "a text": ("https://a.org", "frame_hosts"),
    "too many": ([f"https://{place}.org" for place in range(frame_hosts.MOST + 1)], "frame_hosts"),
    "twice": (["https://a.org", "https://a.org"], "frame_hosts"),
    "nothing": (None, "frame_hosts"),
}


def built(named):
    return definitions.build(DRAFT | {"frame_hosts": named})


def certified(named):
    return definitions.certified(definitions.canonical(definitions.build(DRAFT) | {"frame_hosts": named}))


def test_a_definition_that_names_no_one_has_the_bytes_that_it_always_had():
    made = definitions.build(DRAFT)
    assert "frame_hosts" not in made and definitions.canonical(built([])) == definitions.canonical(made)


@pytest.mark.parametrize("named", SOUND)
def test_what_is_named_stands_as_it_was_given_and_moves_the_digest(named):
    made = built(named)
    assert made["frame_hosts"] == named and certified(named)
    assert definitions.digest(made) != definitions.digest(definitions.build(DRAFT))


@pytest.mark.parametrize("wrong", MALFORMED)
def test_what_is_no_origin_is_refused_by_its_place(wrong):
    with pytest.raises(definitions.DraftRefused) as refused:
        built(["https://a.example.org", wrong])
    assert [(each.field, each.code) for each in refused.value.refusals] == [("frame_hosts[1]", "frame_hosts_format")]
    assert not certified([wrong]) and not certified(["https://a.example.org", wrong])


@pytest.mark.parametrize("case", REFUSED)
def test_a_list_that_breaks_a_rule_is_refused(case):
    named, field = REFUSED[case]
    with pytest.raises(definitions.DraftRefused) as refused:
        built(named)
    assert [each.field for each in refused.value.refusals] == [field] and not certified(named)


def test_no_definition_has_an_empty_list():
    assert not certified([])
