"""The documents of a survey by name, and the archive of all of them."""

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from surveys.designer.evidence import (
    annex,
    crate,
    croissant,
    datacite,
    ddi,
    impact,
    letters,
    literature,
    methods,
    paper,
    preregistration,
    questionnaire,
    registry,
    statement,
    transparency,
)
from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.files import File, json_in_order
from surveys.designer.evidence.paper import Paper
from surveys.researcher.downloads import bundle, column_docs, exports, publication, shares
from surveys.researcher.sheets.tables import json_text
from surveys.rules.languages import site_language
from surveys.survey import definition as definitions

ARCHIVE = "archive.zip"
HTML, PDF, JSON = "text/html; charset=utf-8", "application/pdf", "application/json"
CSV, JSON_LD = "text/csv; charset=utf-8", "application/ld+json"


SPOKEN = tuple(tag for tag, _name in settings.LANGUAGES)


class PaperOffer(NamedTuple):
    """A document for people. `languages` are the available ones; an empty tuple means all of the survey's languages."""

    name: str
    title: Promise
    purpose: Promise
    make: Callable[[Facts], Paper]
    languages: tuple[str, ...] = SPOKEN


class GeneratedFile(NamedTuple):
    """A file for programs. `make` needs English as the active language."""

    name: str
    media_type: str
    purpose: Promise
    make: Callable[[Facts, list[File]], str | bytes]
    needs_release: bool = True


PAPERS = (
    PaperOffer(
        "statement", _("Privacy statement"), _("One page for the people who are asked."), statement.of_facts, (),
    ),
    PaperOffer(
        "questionnaire", _("Questionnaire"), _("Every text and question as it is worded, to print."),
        questionnaire.of_facts, (),
    ),
    PaperOffer(
        "annex", _("Technical annex"), _("For people who judge the guarantee, by NIST SP 800-226."), annex.of_facts,
    ),
    PaperOffer(
        "impact", _("Annex to a data protection impact assessment"),
        _("For data protection officers: singling out, linkability, inference, retention, access."), impact.of_facts,
    ),
    PaperOffer(
        "preregistration", _("Pre-registration sheet"), _("Planned number, widths, power, stopping rule."),
        preregistration.of_facts,
    ),
    PaperOffer(
        "transparency", _("Transparency disclosure"), _("For journals and panels: the eleven elements of AAPOR."),
        transparency.of_facts,
    ),
    PaperOffer(
        "methods", _("Methods and appendix"), _("A paragraph and tables for a paper, in English."), methods.of_facts,
        ("en",),
    ),
)  # fmt: skip


def publication_text(facts: Facts, data: list[File]) -> str:
    """Return the release's metadata as JSON-LD."""
    assert facts.release
    return json_in_order(publication.json_ld(facts.survey, facts.release))


OFFERS = (
    GeneratedFile("references.bib", "application/x-bibtex", _("Citations as BibTeX."), literature.bibtex, False),
    GeneratedFile("references.json", JSON, _("The same as CSL-JSON."), literature.csl, False),
    GeneratedFile("ddi.xml", "application/xml", _("DDI-Codebook 2.6, for archives."), ddi.text, False),
    GeneratedFile("registry.yaml", "application/yaml", _("An entry for the registry of deployments."), registry.text),
    GeneratedFile("datacite.json", JSON, _("What a DOI is registered with."), datacite.text),
    GeneratedFile("dataset.json", JSON_LD, _("schema.org’s description of the release."), publication_text),
    GeneratedFile("croissant.json", JSON_LD, _("The tables for machine-learning tools."), croissant.text),
)


def names(facts: Facts) -> list[str]:
    """Return the names of all documents of this survey, without the archive."""
    papers = [f"{offer.name}.{tag}.html" for offer in PAPERS for tag in languages(offer, facts)]
    return papers + [offer.name for offer in OFFERS if facts.release or not offer.needs_release]


def signable(facts: Facts) -> list[str]:
    """Return the names of the papers that also exist as PDF. The PDF font has their letters."""
    drawn = {tag for tag in {*SPOKEN, *facts.languages} if letters.are_drawn(facts.in_language(tag))}
    return [f"{offer.name}.{tag}.pdf" for offer in PAPERS for tag in languages(offer, facts) if tag in drawn]


def languages(offer: PaperOffer, facts: Facts) -> list[str]:
    """Return the languages of a paper. In a language that the site lacks, the paper has the survey's texts among
    English words."""
    return list(offer.languages) or facts.languages


def file(facts: Facts, name: str) -> File | None:
    """Return one document, as PDF if the name says so, or the archive; None for an unknown name."""
    if name == ARCHIVE:
        return archive(facts) if facts.release else None
    if name.endswith(".pdf"):
        return _signable(facts, name) if name in signable(facts) else None
    if name not in names(facts):
        return None
    return _paper(facts, name) if name.endswith(".html") else _generated_file(facts, name, data(facts))


def files(facts: Facts) -> list[File]:
    """Return all files of the folder, ordered by name."""
    released = data(facts)
    made = [
        _paper(facts, name) if name.endswith(".html") else _generated_file(facts, name, released)
        for name in names(facts)
    ]
    every = sorted([*made, *released], key=lambda each: each.name)
    if facts.release is None:
        return every
    with override("en"):
        described = crate.text(facts, every).encode()
    return [*every, File(crate.NAME, "application/ld+json", "The folder as an RO-Crate.", described)]


def _paper(facts: Facts, name: str) -> File:
    stem, tag, _html = name.split(".")
    offer = next(offer for offer in PAPERS if offer.name == stem)
    with override("en"):
        purpose = f"{offer.title}. {offer.purpose}"
    own = facts.in_language(tag)
    with override(site_language(tag)):
        return File(name, HTML, purpose, paper.html(offer.make(own), own))


def _signable(facts: Facts, name: str) -> File:
    from surveys.designer.evidence import pdf  # loads fpdf, which takes a second

    stem, tag, _pdf = name.split(".")
    offer = next(offer for offer in PAPERS if offer.name == stem)
    own = facts.in_language(tag)
    with override(site_language(tag)):
        return File(name, PDF, "", pdf.pdf(offer.make(own), own))


def _generated_file(facts: Facts, name: str, released: list[File]) -> File:
    offer = next(offer for offer in OFFERS if offer.name == name)
    with override("en"):
        return _file(name, offer.media_type, str(offer.purpose), offer.make(facts, released))


def _file(name: str, media_type: str, purpose: str, content: str | bytes) -> File:
    return File(name, media_type, purpose, content.encode() if isinstance(content, str) else content)


# Published documents --------------------------------------------------------------------------------------------------


def data(facts: Facts) -> list[File]:
    """Return the definition and a release's estimates: the bytes that the API and the downloads serve."""
    definition = File("data/definition.json", JSON, "The frozen definition.", definitions.canonical(facts.definition))
    return [definition, *(_released(facts) if facts.release else [])]


def _released(facts: Facts) -> Iterator[File]:
    release, document = facts.release, facts.document
    assert release and document
    with override("en"):
        yield _file("data/codebook.json", JSON, "Columns, tables and formulas.", bundle.codebook_text(release))
        yield _file(
            "data/estimates.json", JSON, "The published estimates, as the API serves them.", json_text(document)
        )
        yield _file(
            "data/estimates.csv", CSV, "One row for each estimate, target and confidence.", exports.csv_file(document)
        )
        yield _file("data/shares.csv", CSV, "One row for each answer.", shares.csv_file(release))
        yield _file("data/columns.csv", CSV, "What each column holds.", column_docs.columns_file(document))


def write(facts: Facts, folder: Path) -> list[Path]:
    """Write all files into a new or empty folder, with the archive if there is a release. Raise FileExistsError if the
    folder has other files."""
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder}: must be a new or empty folder")
    every = [*files(facts), *([archive(facts)] if facts.release else [])]
    for each in every:
        (folder / each.name).parent.mkdir(parents=True, exist_ok=True)
        (folder / each.name).write_bytes(each.content)
    return [folder / each.name for each in every]


def archive(facts: Facts) -> File:
    """Return all files in one zip. Its times are the day of the release."""
    assert facts.release
    day, packed = facts.release.day, io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as target:
        for each in files(facts):
            entry = zipfile.ZipInfo(each.name, (day.year, day.month, day.day, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            target.writestr(entry, each.content)
    return File(ARCHIVE, "application/zip", "", packed.getvalue())
