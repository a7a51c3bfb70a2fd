"""The methods paragraph of a paper, with its appendix. Both are in English, like the works that they cite."""

from surveys.designer.evidence import literature
from surveys.designer.evidence.facts import Facts, QuestionFacts
from surveys.designer.evidence.literature import Work
from surveys.designer.evidence.paper import Paper, PaperSection, PaperTable, integers
from surveys.designer.evidence.tables import drawn_items, realized
from surveys.designer.evidence.transparency import estimates
from surveys.figures import numerals
from surveys.survey import mechanisms


def of_facts(facts: Facts) -> Paper:
    """Return the paper. English must be the active language."""
    results = [PaperSection("Results", tables=[estimates(facts)])] if facts.document else []
    return Paper(
        "Methods and appendix",
        "A paragraph for a paper, which you can shorten as the journal asks, and the table for its appendix.",
        [
            PaperSection("Methods", [paragraph(facts)]),
            PaperSection("Appendix", tables=[_appendix(facts)]),
            *results,
            PaperSection("References", items=[_reference(work) for work in literature.works(facts)]),
        ],
    )


def paragraph(facts: Facts) -> str:
    return " ".join([*_privacy(facts), *_forms(facts), *_sample(facts), *_analysis(facts)])


def _privacy(facts: Facts) -> list[str]:
    odds = numerals.odds_factor(facts.alpha)
    promise = f"(α, δ) = ({facts.alpha}, {float(facts.delta):g})" if facts.delta else f"α = {facts.alpha}"
    apart = "apart from a chance of δ, " if facts.delta else ""
    used = dict.fromkeys(str(mechanisms.of(each.question).name).lower() for each in facts.questions)
    return [
        "Answers were randomized in each respondent’s browser before they were sent (Warner, 1965), under local "
        f"differential privacy (Kasiviswanathan et al., 2011; Near et al., 2025) with {promise} for all answers of a "
        f"person together: {apart}no report is more than {odds} times as likely for some answers as for others.",
        f"Mechanisms: {', '.join(used)}. Their probabilities are whole numbers out of 2^53, frozen before the first "
        f"report in a definition with SHA-256 {facts.digest}. Each browser verified α from them before it asked.",
        *drawn_items(facts),
    ]


def _forms(facts: Facts) -> list[str]:
    if not facts.has_forms:
        return ["Every respondent was asked all questions."]
    text = f"Each browser drew one of {len(facts.reports)} forms of the questionnaire by lot before it asked anything."
    if any(each.together for each in facts.reports):
        text += " Some questions were randomized together, by one draw for all their answers."
    return [text]


def _sample(facts: Facts) -> list[str]:
    entry = "Respondents used an open link; a response rate cannot be computed."
    if facts.by_invitation:
        entry = "Each respondent had an invitation for one report, signed blindly (Denis et al., 2023)."
    if facts.release is None:
        return [entry, f"{facts.people:,} people are planned."]
    when = f"release {facts.release.number} of {facts.release.day.isoformat()}"
    return [entry, f"The results are based on {facts.release.n:,} reports ({when})."]


def _analysis(facts: Facts) -> list[str]:
    level = numerals.percent(facts.document["confidence"]) if facts.document else "95%"
    return [
        "Shares and means are unbiased estimates from the randomized reports; their precision is compared with the "
        f"minimax bound (Duchi et al., 2018). Simultaneous {level} intervals cover sampling and randomization, for "
        f"all answers of a question at once. Computed by {facts.software}."
    ]


def _appendix(facts: Facts) -> PaperTable:
    head = ["Key", "Wording", "Form", "Mechanism", "α", "α realized", "δ", "Reports", "Integers (out of 2^53)"]
    return PaperTable("Questions and how they were randomized", head, [_row(each, facts) for each in facts.questions])


def _row(each: QuestionFacts, facts: Facts) -> list[str]:
    question = each.question
    return [
        question["key"],
        question["text"],
        each.stands_in or "all",
        str(mechanisms.of(question).name) + (", jointly" if "joint" in question else ""),
        each.by_channel(lambda one: one["alpha"]),
        each.by_channel(realized),
        question.get("delta", "0"),
        _about(question["key"], facts),
        each.by_channel(lambda one: integers(one["table"])),
    ]


def _about(key: str, facts: Facts) -> str:
    """Return the number of reports about the question; if items are drawn, the range over its items."""
    if facts.document is None:
        return "planned"
    numbers = [
        category.get("n_about", result["n_about"])
        for result in facts.document["questions"]
        if result["key"].partition(".")[0] == key
        for category in result["methods"][0]["categories"]
    ]
    ends = sorted({min(numbers, default=0), max(numbers, default=0)})
    return "–".join(map(str, ends))


def _reference(work: Work) -> str:
    authors = "; ".join(f"{family}, {given}" for family, given in work.authors)
    place = ", ".join(
        filter(None, [work.where, (work.volume and f"{work.volume}({work.issue})") or work.issue, work.pages])
    )
    return f"{authors} ({work.year}). {work.title}. {place}. https://doi.org/{work.doi}"
