"""The requirements on each mechanism, stated apart from its code: one module each, named as in ldp.mechanisms.

A test of all mechanisms finds here what it needs of each one. The modules share tests.support.draws, stated_channels,
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
    # Questions of a draft that name the mechanism, for the vectors. Then the digest of their vectors
    # (tests.support.vectors).
    QUESTIONS: list[dict[str, Any]]
    DIGEST: str

    # The kind of question in the certificate's cases. Then the subject of these cases.
    KIND: str
    SUBJECT: str

    # The channel that docs/mathematics.md states, at a resolution small enough to enumerate.
    SMALL: "Small"

    # Faults that the same checks must catch, by name: edits of the Python module. Then, for the browser, a module of
    # the page with a statement at its end. The statement replaces a function by a faulty one
    # (tests.support.browser_faults).
    FAULTS: "Mapping[str, Fault]"
    BROWSER_FAULTS: Mapping[str, tuple[str, str]]

    def answers(self, d: int, table: Any) -> list[Any]:
        """Return all answers that the sampler accepts."""

    def plan(self, d: int, table: Any, answer: Any) -> "list[Draw]":
        """Return the draws of a report in order."""

    def stated(self, d: int, table: Any, answer: Any, u: list[int]) -> Any:
        """Return the report that the mechanism's definition gives for accepted draws u."""

    def forced(self, question: Any, answer: Any, reported: Any) -> list[int]:
        """Return the draws with which the answer gives this reported value."""

    def cases(self) -> "Iterator[Case]":
        """Yield questions whose tables keep their alpha to the last unit, and questions whose tables do not."""


def of(name: str) -> Home:
    return cast(Home, import_module(f"{__name__}.{name}"))


def homes() -> dict[str, Home]:
    return {name: of(name) for name in MECHANISMS}


def sampler(name: str) -> ModuleType:
    return cast(ModuleType, MECHANISMS[name])
