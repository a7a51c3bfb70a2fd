"""Names that a sentence lists, in the manner of each language."""

import pytest
from django.utils.translation import override

from surveys.rules.enumeration import all_of, any_of


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
        assert all_of(names) == every and one in (None, any_of(names))
