"""The transparency disclosure: the eleven elements of AAPOR's Code (III.A). The site computes some; the team types the
rest, which are marked while missing."""

from django.utils.translation import gettext as _

from surveys.designer.evidence.facts import Facts, QuestionFacts
from surveys.designer.evidence.paper import Paper, PaperSection, PaperTable, answered, joined, missing
from surveys.designer.evidence.tables import drawn_items, exact
from surveys.designer.privacy.figures import measure
from surveys.figures import numerals
from surveys.figures.targets import planned_about, usual_target
from surveys.survey import kinds


def of_facts(facts: Facts) -> Paper:
    return Paper(
        _("Transparency disclosure"),
        _(
            "The elements of the Code of Professional Ethics and Practices of AAPOR, section III.A. ISO 20252 and the "
            "ICC/ESOMAR code ask for the same under other names: client, fieldwork, sample, method of data collection."
        ),
        [_items(facts), PaperSection(_("Wording of the questions"), tables=[_wording(facts)]), *_precision(facts)],
    )


def _items(facts: Facts) -> PaperSection:
    given = facts.disclosure
    texts = [
        (_("Data collection strategy"), _("A survey under local differential privacy: browsers randomize answers.")),
        (_("Sponsor and who conducted it"), f"{missing(given.sponsor)}\n{missing(given.conductor)}"),
        (_("Measurement tools"), _tools(facts)),
        (_("Population under study"), missing(given.population)),
        (_("Method of sampling and recruitment"), f"{missing(given.recruitment)}\n{_entry(facts)}"),
        (_("Method and mode of data collection"), _mode(facts)),
        (_("Dates of data collection"), f"{missing(given.dates)}\n{_dates(facts)}".strip()),
        (_("Sample sizes and precision"), _sizes(facts)),
        (_("Weighting"), _("Published shares are unweighted. Weighted ones name their known shares.")),
        (_("Processing and quality"), _quality()),
        (_("Limitations"), f"{missing(given.limitations)}\n{_limitations()}"),
    ]
    return answered(_("The eleven elements"), {f"{n}. {title}": text for n, (title, text) in enumerate(texts, 1)})


def _tools(facts: Facts) -> str:
    words = {"n": len(facts.questions), "languages": joined(facts.languages), "digest": facts.digest}
    text = _("%(n)s questions, below; languages: %(languages)s. The whole definition has the SHA-256 %(digest)s.")
    return "\n".join([text % words, *drawn_items(facts)])


def _entry(facts: Facts) -> str:
    if facts.by_invitation:
        return _("Each person has a personal link, which allows one report.")
    return _("An open link: who got it and who answered twice is not known, so no response rate can be computed.")


def _mode(facts: Facts) -> str:
    text = _("Self-completion on a web page. α = %(alpha)s for a whole report.") % {"alpha": facts.alpha}
    if not facts.has_forms:
        return text
    return f"{text} " + _("Each browser drew one of %(n)s parts of the questions.") % {"n": len(facts.reports)}


def _dates(facts: Facts) -> str:
    """Return the survey's days; "" before it opens. Times are not shown."""
    survey = facts.survey
    if survey.opened_at is None:
        return ""
    begins = (survey.opens_at or survey.opened_at).date().isoformat()
    if survey.closed_at is None:
        return _("Open since %(day)s.") % {"day": begins}
    return _("Open from %(first)s to %(last)s.") % {"first": begins, "last": survey.closed_at.date().isoformat()}


def _sizes(facts: Facts) -> str:
    if facts.release is None:
        return _("%(n)s people are planned. Half-widths are below.") % {"n": numerals.integer(facts.people)}
    text = _("%(n)s reports in release %(number)s. The precision below includes sampling and randomization.")
    return text % {"n": numerals.count(facts.release.n), "number": facts.release.number}


def _quality() -> str:
    return _(
        "No report is edited or taken out. Anything that is not a valid report of this definition is refused. How "
        "many forged reports would change a result is computed on each question’s page."
    )


def _limitations() -> str:
    return _("Randomization widens every interval. Whether people answered truthfully is not known.")


def _wording(facts: Facts) -> PaperTable:
    rows = [[each.question["key"], each.question["text"], _answers(each)] for each in facts.questions]
    return PaperTable(_("Wording"), [_("Key"), _("Question"), _("Answers")], rows)


def _answers(each: QuestionFacts) -> str:
    question = each.question
    if items := [*question.get("items", []), *kinds.lines(question)]:
        return "; ".join(items)
    ends = numerals.to(numerals.decimal(question["low"]), numerals.decimal(question["high"]))
    return numerals.with_unit(ends, question["unit"])


def _precision(facts: Facts) -> list[PaperSection]:
    if facts.document is not None:
        return [PaperSection(_("Precision"), tables=[estimates(facts)])]
    widths = ((each, measure(each.question).full(each.half_width)) for each in facts.questions)
    rows = [[each.question["key"], f"{width} {each.among}".rstrip()] for each, width in widths]
    table = PaperTable(_("Planned half-widths"), [_("Key"), _("Half-width")], rows)
    about = planned_about(usual_target(facts.definition), "forms" in facts.definition)
    return [PaperSection(_("Precision"), [about], tables=[table])]


def estimates(facts: Facts) -> PaperTable:
    """Return the published estimates by the first method, for the target that the results page shows first."""
    assert facts.document
    target = usual_target(facts.definition)
    rows = [
        [
            result["key"],
            category["option"],
            *map(exact, (category["estimate"], *category[target]["simultaneous"])),
        ]
        for result in facts.document["questions"]
        for category in result["methods"][0]["categories"]
    ]
    head = [_("Key"), _("Answer"), _("Estimate"), _("From"), _("To")]
    level = {"level": numerals.level(facts.document["confidence"])}
    title = {
        "population": _("Estimates and simultaneous %(level)s intervals, about the population"),
        "respondents": _("Estimates and simultaneous %(level)s intervals, about the people who were asked"),
    }[target]
    return PaperTable(title % level, head, rows)
