"""DDI-Codebook 2.6 for archives: variables as in the randomized reports, questions in all languages, coding
instructions with the randomization, sampling errors, response rate."""

import json
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ldp.question import Drawn, channels
from surveys.designer.evidence.facts import Facts, QuestionFacts
from surveys.designer.evidence.files import File
from surveys.designer.evidence.paper import missing
from surveys.designer.evidence.tables import exact
from surveys.figures import numerals
from surveys.researcher.downloads import formulas, microdata_columns
from surveys.researcher.downloads.codebook import ROWS, ROWS_OF_FORMS
from surveys.researcher.downloads.microdata_columns import MicrodataColumn
from surveys.researcher.results import citation
from surveys.survey import mechanisms
from surveys.survey.definition import markup, pictures

NAMESPACE = "ddi:codebook:2_6"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
# Characters that XML does not allow, such as half of a surrogate pair or a control character.
BEYOND = dict.fromkeys((*range(9), 11, 12, *range(14, 32), *range(55296, 57344), 65534, 65535), " ")


def text(facts: Facts, data: list[File]) -> bytes:
    """Return the codebook as XML. English must be the active language. `data` are the other files of the folder."""
    book = Element("codeBook", {"xmlns": NAMESPACE, "version": "2.6", LANGUAGE: "en"})
    _document(book, facts)
    _study(SubElement(book, "stdyDscr"), facts)
    for file in data:
        _file(SubElement(book, "fileDscr", {"ID": _id("F", file.name), "URI": file.name}), file, facts)
    _variables(SubElement(book, "dataDscr"), facts)
    ElementTree.indent(book)
    written: bytes = ElementTree.tostring(book, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _add(parent: Element, name: str, words: str = "", **attributes: str) -> Element:
    child = SubElement(parent, name, attributes)
    if words:
        child.text = words.translate(BEYOND)
    return child


def _id(letter: str, name: str) -> str:
    return letter + "".join(each if each.isalnum() and each.isascii() else "_" for each in name)


# The document and the study -------------------------------------------------------------------------------------------


def _document(book: Element, facts: Facts) -> None:
    quoted = SubElement(SubElement(book, "docDscr"), "citation")
    titles = SubElement(quoted, "titlStmt")
    _add(titles, "titl", f"Codebook of {facts.title}")
    _add(titles, "IDNo", f"sha256:{facts.digest}", agency="SHA-256 of the definition")
    _add(SubElement(quoted, "prodStmt"), "software", facts.software)


def _study(study: Element, facts: Facts) -> None:
    _citation(SubElement(study, "citation"), facts)
    _information(SubElement(study, "stdyInfo"), facts)
    _method(SubElement(study, "method"), facts)
    access = SubElement(study, "dataAccs")
    _add(access, "license", missing(facts.disclosure.licence))
    _add(SubElement(access, "useStmt"), "confDec", _confidentiality(facts))


def _citation(quoted: Element, facts: Facts) -> None:
    titles, given = SubElement(quoted, "titlStmt"), facts.disclosure
    own, *others = facts.languages
    _add(titles, "titl", facts.title).set(LANGUAGE, own)
    for tag in others:
        _add(titles, "parTitl", facts.definition["translations"][tag]["title"]).set(LANGUAGE, tag)
    _add(titles, "IDNo", f"sha256:{facts.digest}", agency="SHA-256 of the definition")
    _add(SubElement(quoted, "rspStmt"), "AuthEnty", missing(given.conductor))
    production = SubElement(quoted, "prodStmt")
    _add(production, "software", facts.software)
    _add(production, "fundAg", missing(given.sponsor))
    distribution = SubElement(quoted, "distStmt")
    _add(distribution, "contact", missing(given.contact))
    if facts.release:
        day = facts.release.day.isoformat()
        _add(distribution, "distDate", day, date=day)
        _add(SubElement(quoted, "verStmt"), "version", f"Release {facts.release.number}", date=day)
        _add(quoted, "holdings", "The release", URI=citation.address(facts.survey, facts.release))


def _information(about: Element, facts: Facts) -> None:
    introduction = " ".join(markup.plain(facts.definition, facts.definition.get("introduction", "")).split())
    _add(about, "abstract", f"{introduction} {_confidentiality(facts)}".strip())
    scope = SubElement(about, "sumDscr")
    survey = facts.survey
    for event, moment in (("start", survey.opens_at or survey.opened_at), ("end", survey.closed_at)):
        if moment:
            day = moment.date().isoformat()
            _add(scope, "collDate", day, date=day, event=event)
    _add(scope, "anlyUnit", "One person's randomized report")
    _add(scope, "universe", missing(facts.disclosure.population))
    _add(scope, "dataKind", "survey data, randomized under local differential privacy")


def _method(method: Element, facts: Facts) -> None:
    collection = SubElement(method, "dataColl")
    _add(collection, "timeMeth", "one wave of several" if facts.is_wave else "cross-section")
    _add(collection, "sampProc", missing(facts.disclosure.recruitment))
    _add(SubElement(collection, "targetSampleSize"), "sampleSize", str(facts.people))
    _add(collection, "collMode", "Self-administered questionnaire: web-based")
    _add(
        collection,
        "resInstru",
        "Structured questionnaire; each browser draws a form" if facts.has_forms else "Structured",
    )
    _add(collection, "weight", "None. Every report counts the same.")
    _add(collection, "cleanOps", "None. No report is edited or taken out.")
    information = SubElement(method, "anlyInfo")
    rate = (
        "Unknown: the link is open."
        if not facts.by_invitation
        else "Reports over invitations; who answered is not stored."
    )
    _add(information, "respRate", rate)
    _add(information, "EstSmpErr", _errors(facts))
    instruction = SubElement(method, "codingInstructions", {"type": "randomization"})
    _add(instruction, "txt", _coding(facts))


def _confidentiality(facts: Facts) -> str:
    apart = f", but for a chance of {float(facts.delta):g}" if facts.delta else ""
    return (
        "Each answer was randomized in the respondent's browser before it was sent. A whole report satisfies local "
        f"differential privacy with alpha = {facts.alpha}{apart}."
    )


def _errors(facts: Facts) -> str:
    if facts.document is None:
        return f"Planned for {facts.people} people; the definition's tables give the variance of each estimate."
    parts = [
        f"{result['key']} {category['option']}: "
        f"{exact(category['estimate'])} ({exact(category['population']['standard_error'])})"
        for result in facts.document["questions"]
        for category in result["methods"][0]["categories"]
    ]
    return "Estimates with standard errors, sampling and randomization together. " + "; ".join(parts) + "."


def _coding(facts: Facts) -> str:
    tables = [
        f"form {each.number} randomizes {', '.join(part.keys)} together, keep = {part.draw['table']['keep']} of 2^53, "
        f"sizes {', '.join(map(str, part.sizes))}"
        for each in facts.reports
        for part in each.together
    ]
    alphas = [
        f"form {each.number}: alpha {each.alpha}, {exact(each.realized_alpha)} realized" for each in facts.reports
    ]
    rows = ROWS + (ROWS_OF_FORMS if facts.has_forms else "")
    return f"{rows} Reports: {'; '.join([*alphas, *tables])}. Each variable's codInstr has its own table."


# Files ----------------------------------------------------------------------------------------------------------------


def _file(described: Element, file: File, facts: Facts) -> None:
    about = SubElement(described, "fileTxt", {"mimeType": file.media_type})
    _add(about, "fileName", file.name)
    print_ = SubElement(about, "dataFingerprint", {"type": "data"})
    _add(print_, "digitalFingerprintValue", file.sha256)
    _add(print_, "algorithmSpecification", "SHA-256")
    _add(about, "fileCont", file.purpose)


# Variables ------------------------------------------------------------------------------------------------------------


def _variables(described: Element, facts: Facts) -> None:
    if facts.has_forms:
        _variable(described, microdata_columns.of_forms(facts.definition))
    for each in facts.questions:
        for column in microdata_columns.of_question(each.question):
            _variable(described, column, each, facts)


def _variable(
    described: Element, column: MicrodataColumn, each: QuestionFacts | None = None, facts: Facts | None = None
) -> None:
    quantity = not column.values
    kinds = {"scale": "contin"}.get(column.measure, "discrete")
    variable = SubElement(described, "var", {"ID": _id("V", column.name), "name": column.name, "intrvl": kinds})
    _add(variable, "labl", column.label)
    if each and facts:
        _question(SubElement(variable, "qstn", {"ID": _id("Q", column.name)}), each, facts)
    if quantity:
        _add(_add(variable, "valrng"), "range", UNITS="INT", min=str(column.low), max=str(column.high))
    for value, label in column.values.items():
        category = SubElement(variable, "catgry")
        _add(category, "catValu", str(value))
        for tag, words in _labels(value, label, each, facts):
            named = _add(category, "labl", words)
            if tag:
                named.set(LANGUAGE, tag)
    if each:
        _add(variable, "codInstr", _instruction(each))
    _add(variable, "varFormat", type="numeric")


def _question(asked_for: Element, each: QuestionFacts, facts: Facts) -> None:
    own, *others = facts.languages
    place = each.number - 1
    picture = pictures.of_question(facts.definition, each.question["key"])
    texts = {own: (each.question["text"], each.question["note"])} | {
        tag: (words["text"], words["note"])
        for tag in others
        for words in [facts.definition["translations"][tag]["questions"][place]]
    }
    for tag, (wording, note) in texts.items():
        _add(asked_for, "qstnLit", wording).set(LANGUAGE, tag)
        if note:
            _add(asked_for, "ivuInstr", markup.plain(facts.definition, note)).set(LANGUAGE, tag)
        if picture:
            _add(asked_for, "ivuInstr", f"Shown with a picture: {pictures.alt(picture, tag)}").set(LANGUAGE, tag)


def _labels(value: int, label: str, each: QuestionFacts | None, facts: Facts | None) -> Iterator[tuple[str, str]]:
    """Yield a value's label with its language tag, once for each translation. A label that is no text of the survey has
    the tag ""."""
    if each is None or facts is None:
        yield "", label
        return
    own, *others = facts.languages
    yield own, label
    for tag in others:
        options = facts.definition["translations"][tag]["questions"][each.number - 1].get("options", [])
        if label in each.question.get("options", []) and value < len(options):
            yield tag, options[value]


ABOUT = {
    "population": "the population from which the people who took part are a random sample",
    "respondents": "exactly the people who took part",
}


def _drawn(question: Drawn) -> str:
    """Return a question's randomization in words. If several forms ask it, return one for each form."""
    table = json.dumps(question["table"], sort_keys=True, separators=(",", ":"))
    delta = f", delta {question['delta']}" if "delta" in question else ""
    joint = "Randomized together with others by one draw; alone that is: " if "joint" in question else ""
    form = f"Form {question['form'] + 1}: " if "form" in question else ""
    return (
        f"{form}{joint}{mechanisms.of(question).name}, alpha {question['alpha']}{delta}. "
        f"{mechanisms.of(question).table} Table: {table}."
    )


def _instruction(each: QuestionFacts) -> str:
    drawn = " ".join(map(_drawn, channels(each.question)))
    return (
        f"{drawn} {formulas.estimate(each.question)}. "
        f"Half-width as planned: {numerals.rounded_up(each.half_width)} of the scale, "
        f"about {ABOUT[each.target]}{', those of them who are asked' if each.asked else ''}."
    )
