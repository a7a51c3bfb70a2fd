"""Column names for SPSS and Stata: the codebook's, changed for dots, length and reserved words."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Program(NamedTuple):
    """`reserved` returns whether a name in lower case is a reserved word of the program."""

    longest: int
    dots: bool
    reserved: Callable[[str], object]


# Stata allows 32 characters. pyreadstat names value labels by the column and its number of up to five digits.
_STATA = re.compile("byte|double|float|if|in|int|long|strl|str[0-9]+|using|with")
_SPSS = re.compile("all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with")
STATA = Program(27, False, _STATA.fullmatch)
SPSS = Program(64, True, _SPSS.fullmatch)


def names(program: Program, columns: Iterable[str]) -> list[str]:
    """Return the name of each column in the program, each only once even if the program ignores case.

    A reserved word begins with `q_`; a name that is too long or taken ends with its number.
    """
    before: list[str] = []
    for column in columns:
        plain = column if program.dots else column.replace(".", "_")
        plain = f"q_{plain}" if program.reserved(plain.lower()) else plain
        before.append(_free(plain, program.longest, {name.lower() for name in before}))
    return before


def _free(plain: str, longest: int, before: set[str]) -> str:
    name, more = plain[:longest].rstrip("._"), 1
    while name.lower() in before:
        more += 1
        name = f"{plain[: longest - 1 - len(str(more))]}_{more}"
    return name
