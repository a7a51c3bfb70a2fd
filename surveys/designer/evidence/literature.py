"""The works that a paper about the survey cites, as BibTeX and CSL-JSON. Entries are in English, like the titles."""

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.files import File, json_in_order
from surveys.researcher.results import citation


class Work(NamedTuple):
    """A cited work. `authors` are pairs of family and given name; `where` is the journal or the publisher."""

    key: str
    type: str
    authors: Sequence[tuple[str, str]]
    title: str
    where: str
    year: int
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""


WARNER = Work(
    "warner1965", "article-journal", [("Warner", "Stanley L.")],
    "Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias",
    "Journal of the American Statistical Association", 1965, "60", "309", "63-69", "10.1080/01621459.1965.10480775",
)  # fmt: skip
KASIVISWANATHAN = Work(
    "kasiviswanathan2011", "article-journal",
    [
        ("Kasiviswanathan", "Shiva Prasad"), ("Lee", "Homin K."), ("Nissim", "Kobbi"), ("Raskhodnikova", "Sofya"),
        ("Smith", "Adam"),
    ],
    "What Can We Learn Privately?", "SIAM Journal on Computing", 2011, "40", "3", "793-826", "10.1137/090756090",
)  # fmt: skip
DUCHI = Work(
    "duchi2018", "article-journal", [("Duchi", "John C."), ("Jordan", "Michael I."), ("Wainwright", "Martin J.")],
    "Minimax Optimal Procedures for Locally Private Estimation", "Journal of the American Statistical Association",
    2018, "113", "521", "182-201", "10.1080/01621459.2017.1389735",
)  # fmt: skip
NIST = Work(
    "nist2025", "report",
    [("Near", "Joseph P."), ("Darais", "David"), ("Lefkovitz", "Naomi"), ("Howarth", "Gary S.")],
    "Guidelines for Evaluating Differential Privacy Guarantees", "National Institute of Standards and Technology",
    2025, "", "NIST SP 800-226", "", "10.6028/NIST.SP.800-226",
)  # fmt: skip
RFC9474 = Work(
    "rfc9474", "report", [("Denis", "Frank"), ("Jacobs", "Frederic"), ("Wood", "Christopher A.")],
    "RSA Blind Signatures", "RFC Editor", 2023, "", "RFC 9474", "", "10.17487/RFC9474",
)  # fmt: skip


class CslName(TypedDict):
    family: str
    given: str


def works(facts: Facts) -> list[Work]:
    return [WARNER, KASIVISWANATHAN, DUCHI, NIST, *([RFC9474] if facts.by_invitation else [])]


def bibtex(facts: Facts, data: Sequence[File] = ()) -> str:
    """Return the works as BibTeX. The first entry is the release, if there is one."""
    own = [citation.bibtex(facts.survey, facts.release)] if facts.release else []
    return "\n\n".join([*own, *map(_entry, works(facts))]) + "\n"


def _entry(work: Work) -> str:
    is_article = work.type == "article-journal"
    fields = {
        "author": " and ".join(f"{family}, {given}" for family, given in work.authors),
        "title": f"{{{work.title}}}",
        "journal" if is_article else "institution": work.where,
        "year": str(work.year),
        "volume": work.volume,
        "number": work.issue,
        "pages": work.pages.replace("-", "--"),
        "doi": work.doi,
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{'article' if is_article else 'techreport'}{{{work.key},", *lines, "}"])


def csl(facts: Facts, data: Sequence[File] = ()) -> str:
    entries = [*([_release(facts)] if facts.release else []), *map(_csl, works(facts))]
    return json_in_order(entries)


def _release(facts: Facts) -> dict[str, object]:
    release = facts.release
    assert release
    return {
        "id": f"deniable-{facts.survey.slug}-{release.number}",
        "type": "dataset",
        "title": facts.title,
        "version": str(release.number),
        "issued": {"date-parts": [[release.day.year, release.day.month, release.day.day]]},
        "URL": citation.address(facts.survey, release),
        "note": f"SHA-256 of the definition {facts.digest}, of the totals {release.digest}",
    }


def _csl(work: Work) -> dict[str, object]:
    names: list[CslName] = [{"family": family, "given": given} for family, given in work.authors]
    article = work.type == "article-journal"
    fields = {
        "id": work.key,
        "type": work.type,
        "author": names,
        "title": work.title,
        "container-title" if article else "publisher": work.where,
        "issued": {"date-parts": [[work.year]]},
        "volume": work.volume,
        "issue" if article else "number": work.issue,
        "page": work.pages,
        "DOI": work.doi,
    }
    return {name: value for name, value in fields.items() if value}
