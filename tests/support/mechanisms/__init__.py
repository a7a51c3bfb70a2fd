"""What a mechanism must be, said apart from its code: one module each, under its name in ldp.mechanisms.

Whatever tests every mechanism finds here what it needs of one. The modules share tests.support.draws, stated_channels,
certificate_cases and mutation.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, cast

from ldp.mechanisms import MECHANISMS

if TYPE_CHECKING:  # the modules of this folder import these
    from tests.support.certificate_cases import Case
    from tests.support.draws import Draw
    from tests.support.mutation import Fault
    from tests.support.stated_channels import Small


class Home(Protocol):
    # The questions of a draft that name it, for the vectors; and the digest of their vectors (tests.support.vectors).
    QUESTIONS: list[dict[str, Any]]
    DIGEST: str

    # The kind of the questions that its certificate is tried with, and what these cases are about.
    KIND: str
    SUBJECT: str

    # At a resolution that can be enumerated: the channel that docs/mathematics.md states.
    SMALL: "Small"

    # What the same checks must catch: by what is wrong, edits of the Python module; and a module of the page with a
    # statement at its end, which puts a faulty function in the place of a sound one (tests.support.browser_faults).
    FAULTS: "Mapping[str, Fault]"
    BROWSER_FAULTS: Mapping[str, tuple[str, str]]

    def answers(self, d: int, table: Any) -> list[Any]:
        """Everything that the sampler can be given."""

    def plan(self, d: int, table: Any, answer: Any) -> "list[Draw]":
        """The draws of a report in their order."""

    def stated(self, d: int, table: Any, answer: Any, u: list[int]) -> Any:
        """The report that the definition of the mechanism demands for accepted draws u."""

    def forced(self, question: Any, answer: Any, reported: Any) -> list[int]:
        """The draws with which the answer is reported as wished."""

    def cases(self) -> "Iterator[Case]":
        """Questions whose tables keep their alpha to the last unit, and ones that do not."""


def of(name: str) -> Home:
    return cast(Home, import_module(f"{__name__}.{name}"))


def homes() -> dict[str, Home]:
    return {name: of(name) for name in MECHANISMS}


def sampler(name: str) -> ModuleType:
    return cast(ModuleType, MECHANISMS[name])
