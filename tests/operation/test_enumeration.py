"""Names in a list within a sentence follow each language's rules."""

import pytest
from django.utils.translation import override

from surveys.designer.editor.labels import label
from surveys.rules.enumeration import all_of, disjunction, quoted
from tests.support.factories import DRAFT


@pytest.mark.parametrize(
    ("language", "names", "every", "one"),
    [
        ("en", ["a"], "“a”", "“a”"),
        ("en", ["a", "b"], "“a” and “b”", "“a” or “b”"),
        ("de", ["a", "b", "c"], "„a“, „b“ und „c“", "„a“, „b“ oder „c“"),
        ("ar", ["a", "b", "c"], "«\u2068a\u2069»، «\u2068b\u2069» و«\u2068c\u2069»", None),
    ],
)
def test_names_are_listed_as_each_language_does(language, names, every, one):
    with override(language):
        assert all_of(names) == every and one in (None, disjunction([quoted(name) for name in names]))


def test_a_part_of_a_draft_is_named_in_the_same_quotation_marks():
    with override("de"):
        assert label(DRAFT, ("question", "yes", "text")).part == f"„{DRAFT['questions'][0]['text']}“"
