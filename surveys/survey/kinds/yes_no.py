"""Yes or no."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.figures import sentences
from surveys.figures.display import Result
from surveys.rules.languages import DEFAULT, ImpliedWords, implied_words
from surveys.rules.shapes import must, option_count
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds.options import OptionKind
from surveys.survey.kinds.protocol import Kind


class YesNo(OptionKind):
    name: Promise = gettext_lazy("Yes/no")
    purpose: Promise = gettext_lazy("Answered with yes or no.")
    begins: Mapping[str, Any] = {}
    required = frozenset()
    optional = frozenset({"right"})
    has_order = decides = True
    texts = frozenset()
    lists: Mapping[str, int] = {}
    fixed = (implied_words(DEFAULT).yes, implied_words(DEFAULT).no)
    codes: Mapping[int, int] = {0: 1, 1: 0}

    def build(self, draft: Unchecked, where: str) -> Built:
        return {"options": self.implied_options(draft, implied_words(DEFAULT))}

    def implied_options(self, question: Mapping[str, Any], words: ImpliedWords) -> list[str]:
        return [words.yes, words.no]

    def check(self, question: Unchecked) -> None:
        must(option_count(question) == 2)

    def number(self, result: Result) -> str:
        return sentences.share_of(result, result["methods"][0]["categories"][0], _("said yes"))


KIND: Kind = YesNo()
