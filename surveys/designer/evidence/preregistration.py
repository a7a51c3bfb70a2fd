"""The sheet for a pre-registration: planned number of people, widths, power, comparisons, and the survey's end."""

from django.utils.translation import gettext as _

from surveys.designer.evidence.facts import Facts, QuestionFacts
from surveys.designer.evidence.paper import Paper, PaperAnswer, PaperSection, PaperTable, answered, missing
from surveys.designer.evidence.tables import drawn_items
from surveys.designer.privacy import arms
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.questions import questions_of
from surveys.figures import numerals
from surveys.figures.targets import planned_about, usual_target
from surveys.models import Survey

KNOWN, DEPARTURE = 0.5, 0.05


def of_facts(facts: Facts) -> Paper:
    return Paper(
        _("Pre-registration sheet"),
        _("What is planned, computed from the definition and from no report. Copy it into the form of your registry."),
        [_design(facts), _precision(facts), _comparisons(facts), _analysis(), _stopping(facts)],
    )


def _design(facts: Facts) -> PaperSection:
    people = numerals.integer(facts.people)
    given = facts.disclosure
    return answered(
        _("Design"),
        {
            _("Population"): missing(given.population),
            _("Recruitment"): missing(given.recruitment),
            _("Planned number of people"): (
                people if facts.survey.expected_n else _("%(n)s, assumed: none was given") % {"n": people}
            ),
            _("Questions"): str(len(facts.questions)),
            _("Forms, drawn by lot in the browser"): (
                ", ".join(f"{each.number}: {each.share.numerator}/{each.share.denominator}" for each in facts.reports)
                if facts.has_forms
                else _("none: everyone is asked everything")
            ),
            "α": _("%(alpha)s for a whole report") % {"alpha": facts.alpha},
        },
    )


def _precision(facts: Facts) -> PaperSection:
    return PaperSection(
        _("Precision and power"),
        [
            _(
                "Half-widths are for 95% intervals that hold for all answers of a question at once, at equal shares. "
                "The last column is how many people detect a difference of 5 points from a share of 50% with 80% "
                "power."
            ),
            *_unpowered(facts),
            *drawn_items(facts),
            planned_about(usual_target(facts.definition), "forms" in facts.definition),
        ],
        tables=[
            PaperTable(
                _("Planned precision for %(n)s people") % {"n": numerals.integer(facts.people)},
                [_("Key"), _("People asked"), _("Half-width"), _("People for ±5 points"), _("People for 80% power")],
                [_row(each, facts.people) for each in facts.questions],
            )
        ],
    )


def _unpowered(facts: Facts) -> list[str]:
    some = any("asked_if" in each.question for each in facts.questions)
    return [_("It is empty for questions that only some people are asked.")] if some else []


def _row(each: QuestionFacts, people: int) -> list[str]:
    return [
        each.question["key"],
        numerals.integer(max(1, round(people * each.share))),
        " ".join(filter(None, (measure(each.question).full(each.half_width), each.among))),
        _people(each.people),
        _people(_power(each)),
    ]


def _people(n: int | None) -> str:
    return "–" if n is None else numerals.count_up(n)


def _power(each: QuestionFacts) -> int | None:
    """Return the number of people who show a departure; None for an average, or if only some people are asked."""
    from ldp.planning import known  # scipy takes a while to load
    from ldp.planning.arms import Arm

    if "asked_if" in each.question:
        return None
    try:
        return known.needed(Arm(each.question, each.share), KNOWN, DEPARTURE)
    except ValueError:
        return None


def _comparisons(facts: Facts) -> PaperSection:
    families = arms.outlook(questions_of(facts.survey), facts.people)
    if not families:
        return PaperSection(
            _("Comparisons"),
            [
                _("No question has versions that are drawn by lot. Comparisons that decide a hypothesis:"),
                _("[for the researchers to say]"),
            ],
        )
    answers = [
        PaperAnswer(
            family.title,
            " ".join([*family.lines, _("Differences tested together: %(n)s.") % {"n": family.compared}]),
        )
        for family in families
    ]
    return PaperSection(_("Comparisons"), answers=answers)


def _analysis() -> PaperSection:
    return PaperSection(
        _("Analysis"),
        items=[
            _("Estimates are unbiased. Those outside the possible range, such as below 0%, are reported as they are."),
            _("Intervals hold for every number of reports, by the method that each release names."),
            _("All answers of a question are one family; simultaneous intervals decide."),
            _("[hypotheses, exclusions and further analyses: for the researchers to say]"),
        ],
    )


def _stopping(facts: Facts) -> PaperSection:
    numbers = {"batch": numerals.integer(facts.batch)}
    if facts.survey.publishes_once:
        once = _("Results are published once, at the end. No one sees any before.")
        ends = _ends(facts.survey) or [_("It ends when its owner ends it.")]
        return PaperSection(_("Stopping rule and looks"), [*ends, once])
    return PaperSection(
        _("Stopping rule and looks"),
        [
            *(_ends(facts.survey) or [_("It ends when its owner ends it.")]),
            _(
                "Results come in releases, at least %(batch)s reports apart. Before the end, intervals hold at all "
                "releases together, however often anyone looks."
            )
            % numbers,
        ],
    )


def _ends(survey: Survey) -> list[str]:
    texts = []
    if survey.closes_at:
        texts.append(_("It ends at %(time)s UTC.") % {"time": f"{survey.closes_at:%Y-%m-%d %H:%M}"})
    if survey.closes_after:
        texts.append(_("It ends at %(n)s reports.") % {"n": numerals.integer(survey.closes_after)})
    if survey.closes_at_half_width:
        points = numerals.rounded_up(100 * survey.closes_at_half_width)
        texts.append(_("It ends as soon as every interval is ±%(points)s points or narrower.") % {"points": points})
    return texts
