"""The published document of a release. The API serves it; pages, downloads and plots show it.

An annotation is the API schema's text about a field: a sentence, or keywords of JSON Schema. NotRequired fields exist
for some questions only. Removing a field or changing its meaning needs a new format number.
"""

from typing import Annotated, Literal, NotRequired, TypedDict

from ldp.question import AllRules, AnyRule, Rule

FORMAT = 1

_PAIR = {"minItems": 2, "maxItems": 2}


class Level(TypedDict):
    """The intervals at another confidence."""

    confidence: float
    interval: Annotated[list[float], _PAIR]
    simultaneous: Annotated[list[float], _PAIR]


class Precision(TypedDict):
    """The precision of one number, for one target."""

    standard_error: float
    interval: Annotated[list[float], "Holds for this option alone, at the document's confidence.", _PAIR]
    simultaneous: Annotated[
        list[float], "Holds at once with the question's others (together); for a mean the same.", _PAIR
    ]
    interval_method: Annotated[
        str,
        "sequence: holds at every release (M29). exact, answers_at_ends, unseen_respondent, widest_noise: for one "
        "look, at an end that was fixed before the first release (M15, M30).",
    ]
    guarantee: Annotated[
        str,
        "proved: no law of answers is covered less often. checked: held in every check, without a proof. Checked too: "
        "the population's intervals where they serve for the respondents' share, which moves from release to release.",
    ]
    levels: NotRequired[Annotated[list[Level], "The same by the same method at other confidences, increasing."]]


class Category(TypedDict):
    """One option, or the mean."""

    option: Annotated[str, "For a mean: mean."]
    score: Annotated[float, "The total from which the estimate follows."]
    estimate: Annotated[float, "Unbiased, so possibly impossible: a share as a fraction of 1; a mean in its unit."]
    effective_n: Annotated[
        float | None, "The number of answers without privacy that would be as precise, at the estimate."
    ]
    population: Annotated[Precision, "Respondents are a sample: sampling and randomization count."]
    respondents: Annotated[Precision, "About exactly these respondents: only chance added for privacy counts."]
    n_about: NotRequired[Annotated[int, "multiple_choice, ranking: the reports about this option."]]


class SurveyEfficiency(TypedDict):
    """The efficiency of a whole survey: how near it comes to the best there is."""

    value: Annotated[
        float,
        "The least known mean variance of all shares, under alpha_total and at equal shares, over that of these "
        "reports.",
    ]
    how: Annotated[
        Literal["enumerated", "searched", "proved"],
        "How the least is known: by comparing all ways to ask, as the best that a search found, or by a proof.",
    ]
    at_least: Annotated[float, "A proved lower bound of the efficiency."]


class Worth(TypedDict):
    """The precision of all shares of a question together, at some shares; None where it is unknown."""

    risk: Annotated[float | None, "n_about times the expected total squared error over all shares."]
    efficiency: Annotated[float | None, "The least possible risk over this one; null where no bound is known."]
    effective_n: Annotated[float | None, "The number of answers without privacy that would have the same total error."]


class Method(TypedDict):
    """The precision of estimates from one score."""

    method: Annotated[str, "support, threshold, sum, inverse or mean."]
    at_equal_shares: Annotated[Worth, "If all shares are equal."]
    at_estimate: Annotated[Worth, "The same at the estimated shares, put on the simplex."]


class MethodResult(Method):
    """The estimates from one score."""

    categories: list[Category]


class AskedBy(TypedDict):
    """The randomization of a question by one of several forms."""

    form: Annotated[int, "From 0 on."]
    n: Annotated[int, "Its reports that the estimates are based on; for an item of a grid those about it."]
    drawn: NotRequired[
        Annotated[list[int], "A multiple choice that forms draw in different ways: its reports about each option."]
    ]
    alpha: str
    mechanism: str
    realized_alpha: float
    joint: NotRequired[bool]
    delta: NotRequired[str]


class Estimated(TypedDict):
    """The subject of a result: the question's texts, its mechanism and its reports."""

    key: Annotated[str, "The question's key; for an item of a grid followed by a dot and its place, from 1 on."]
    kind: str
    text: str
    options: Annotated[list[str], "The options that reports are about; for a mean: mean."]
    prefer_not_to_say: bool
    alpha: NotRequired[
        Annotated[
            str,
            "Of the whole question, also where a result is about one item of it. Missing where forms randomize it in "
            "different ways: then `asked` has the alpha of each.",
        ]
    ]
    mechanism: str
    d: Annotated[int, "Number of options or bins; of a mean 1."]
    n_about: Annotated[int, "The reports that the estimates are based on: for an item of a grid those about it."]
    together: Annotated[int, "How many simultaneous intervals hold at once: of a grid those of all its items."]
    informative_n: Annotated[
        int | None,
        "Planned number of reports for simultaneous intervals half as wide as the scale: of the survey, or of the form "
        "if only one form asks the question.",
    ]
    realized_alpha: Annotated[float, "The least alpha that the table keeps; of several forms the largest of theirs."]
    risk_bound: Annotated[
        float | None, "The least possible risk in the worst case (M19), a pure number; null where unknown."
    ]
    unit: NotRequired[Annotated[str, "Of a histogram's edges, or of a mean."]]
    ranked: NotRequired[Annotated[list[str], "ranking: the items that people put in order."]]
    edges: NotRequired[Annotated[list[str], "histogram: decimal strings, increasing."]]
    dates: NotRequired[Annotated[list[str], "date: ISO dates, increasing."]]
    low: NotRequired[Annotated[str, "mean: the lower end of the scale."]]
    high: NotRequired[Annotated[str, "mean: its upper end."]]
    steps: NotRequired[Annotated[list[str], "mean: the steps that people chose from, which count 1, 2, 3 ..."]]
    group: NotRequired[Annotated[str, "The group whose reports it is about; without this field, all groups together."]]
    form: NotRequired[
        Annotated[int, "The only form that asks it, from 0 on; without this and `asked`, everyone was asked."]
    ]
    asked: NotRequired[Annotated[list[AskedBy], "Where several forms ask it: how each does, in their order."]]
    joint: NotRequired[
        Annotated[
            bool,
            "Randomized together with other questions, by one draw: alpha is that of all of them. With several forms: "
            "by at least one of them.",
        ]
    ]
    arm_of: NotRequired[
        Annotated[str, "The key of the question whose other version this is, which other people were asked by lot."]
    ]
    asked_if: NotRequired[
        Annotated[
            Rule | AllRules | AnyRule,
            "Who was asked, where not everyone was. The result describes everyone: people who were not asked count as "
            "one of the answers.",
        ]
    ]
    delta: NotRequired[Annotated[str, "osgt, gaussian: the chance for which alpha need not hold."]]
    realized_delta: NotRequired[Annotated[float, "The same, exactly from the table, at the stated alpha."]]


class QuestionResult(Estimated):
    """The numbers of one table and one plot."""

    methods: Annotated[list[MethodResult], "The first is the default one, shown and plotted."]


class Header(TypedDict):
    """A release before anything is estimated."""

    survey: str
    title: str
    digest: Annotated[str, "SHA-256 of the definition's canonical bytes."]
    release: Annotated[int, "1, 2, ... of the survey. A release never changes."]
    date: Annotated[str, {"format": "date"}]
    final: Annotated[bool, "Whether the survey had ended. interval_method says for how many looks intervals hold."]
    n: Annotated[int, "All reports of the release."]
    totals_digest: Annotated[
        str, "SHA-256 of n and the score totals in canonical JSON; with forms, of the list of those of each."
    ]
    confidence: float
    alpha_total: Annotated[str, "Of a whole report; with forms the largest of their reports'."]
    software: str


class Retention(TypedDict):
    """A comparison that shows whether people leave one form more than another: its number of reports against its
    weight."""

    expected: Annotated[float, "The release's reports times the form's chance."]
    direction: Annotated[
        int,
        "-1: fewer reports than chance allows, 1: more, 0: neither. If no one leaves one form more than another, "
        "every form has 0 with a chance of at least .999.",
    ]
    p_value: Annotated[
        float | None, "Exact and two-sided, for this form alone; null where results may have ended the survey."
    ]
    ratio: Annotated[
        list[float | None],
        "The interval of the part that stayed in this form over the part that stayed in all others, null for "
        "infinity. The intervals of all forms hold at once, at .999.",
        _PAIR,
    ]
    missing: Annotated[
        float,
        "The largest part m that may be gone, of the people who report when they draw another form. With them an "
        "interval from low to high of a share that only this form asks becomes (1 - m) low to (1 - m) high + m.",
    ]


class Form(TypedDict):
    """A part of the questionnaire that some people were asked: their browsers drew it."""

    n: Annotated[int, "Its reports. 0 too where they were too few to be published."]
    weight: Annotated[int, "It is drawn with the chance of this number over the sum of all weights."]
    questions: Annotated[list[str], "The keys of its own questions. Everyone is asked those that no form names."]
    joint: Annotated[bool, "Whether some of them are randomized together, by one draw."]
    alpha_total: Annotated[str, "Of a whole report of the form, with the questions that everyone is asked."]
    retention: Annotated[
        Retention | None, "null until the survey has ended: before, the reports of each form come in its own batches."
    ]


class GroupCount(TypedDict):
    """People who were invited as one group."""

    name: str
    n: Annotated[int, "Its reports. 0 too where they were too few to be published."]


class Agreement(TypedDict):
    """A test of whether the forms that ask a question agree about it (M45)."""

    question: Annotated[str, "Its key."]
    forms: Annotated[list[int], "Those with reports, from 0 on."]
    statistic: Annotated[
        float | None,
        "Chi-square for many reports; null where they are too few for that. For a multiple choice or grid that of the "
        "item with the least p-value.",
    ]
    degrees: int | None
    p_value: Annotated[
        float | None,
        "For this release alone, for a multiple choice or grid times the number of items that can be tested. It is "
        "small where leaving a form depended on the answer, or where answers depended on what else the form asks.",
    ]


class ReleaseHeader(Header):
    """A release and its groups and forms, without the estimates."""

    groups: NotRequired[
        Annotated[list[GroupCount], "Only where results are also published by group, in the groups' order."]
    ]
    forms: NotRequired[Annotated[list[Form], "Only where the survey has forms, in their order."]]
    agreement: NotRequired[
        Annotated[list[Agreement], "Only where the survey has forms: the questions that two forms with reports ask."]
    ]
    efficiency: Annotated[
        SurveyEfficiency | None,
        "Of the whole survey (M48). null where a question is a mean or a ranking, has a delta, or has no report.",
    ]
    format: Annotated[int, "The form of this document: 1."]


class ConditionTally(TypedDict):
    """Scores of single reports. Their mean is the share of people who are asked a question."""

    scores: Annotated[list[float], "Those that came, increasing."]
    counts: Annotated[list[int], "How often each came."]
    ends: Annotated[list[float], "The least and the largest possible score.", _PAIR]


class Document(ReleaseHeader):
    """All published numbers of a release."""

    conditions: NotRequired[
        Annotated[
            dict[str, ConditionTally],
            "Of questions that several others decide on, by their keys: from single reports, whom they ask (M34e).",
        ]
    ]
    questions: Annotated[list[QuestionResult], "One result per question, or one per item of a grid."]
    by_group: NotRequired[
        Annotated[
            list[QuestionResult],
            "The same for each group that has reports, one group after the other. Simultaneous intervals hold at once "
            "within a question of one group.",
        ]
    ]
