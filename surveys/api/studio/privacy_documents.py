"""The types of the studio's API for a draft's alphas, forms and proposals."""

from typing import Annotated, Literal, NotRequired, TypedDict

from ldp.scores import Target
from surveys.api.documents import BrokenRule, like
from surveys.api.studio.fields import MARK, MARKED, WHOLE

_KEYS = like(["by_bike"])
_ALPHA = like("1.2")
_WIDTH = (
    "How far a 95% interval that holds for all its answers at once reaches to either side, as a fraction of 1; of a "
    "mean as one of its range. Of a question for some people it is among those who are asked, where their number can "
    "be estimated."
)
_TARGET = (
    "Whom widths are about, as the results are first: exactly those who take part (“respondents”), if people are "
    "invited, or a “population”, if they are a random sample of it."
)
_NEEDED = "How many people make every interval at most 0.05 wide to either side; null if no number does."
_FEWEST = (
    "The fewest people who make every interval at most 0.05 wide to either side, with the design proposed for that "
    "many; null if no number does."
)
_SIZES = (
    "How many options a report lists of each, of a multiple choice or grid that is drawn with others a list: how many "
    "of its items it draws, and how many options it lists of each"
)
_WIDTHS = like({"by_bike": 0.061})


class PrivacyDraw(TypedDict):
    """Questions that are randomized together, or a single one."""

    questions: Annotated[list[str], _KEYS]
    alpha: Annotated[str | None, "The alpha of all answers of the draw together.", _ALPHA]
    sizes: Annotated[list[int | list[int]] | None, f"{_SIZES}, where the draft says so.", like([1])]


class PrivacyForm(TypedDict):
    """A form: questions for some people, drawn by lot in the browser."""

    weight: Annotated[int, like(1)]
    share: Annotated[float, "The share of the people who get it.", like(0.5)]
    draws: Annotated[list[PrivacyDraw], "The draws of the form, in addition to those for everyone."]


class PrivacyQuestion(TypedDict):
    key: Annotated[str, like("by_bike")]
    text: Annotated[str, like("Do you go by bike?")]
    forms: Annotated[list[int], "The forms that ask it, from 1 on; none if everyone is asked.", like([1])]
    alpha: Annotated[str | None, "The alpha of its draw; null if forms differ.", _ALPHA]
    mechanism: Annotated[str | None, "The mechanism's name in definitions; null if forms differ."]
    people: Annotated[int, "The number of people who are asked, out of those expected.", like(500)]
    half_width: Annotated[float | None, _WIDTH, like(0.061)]
    missing: Annotated[list[BrokenRule], "What is missing in the question."]


class PrivacyDocument(TypedDict):
    mark: Annotated[str, MARK, MARKED]
    n: Annotated[int, "The people expected, or 1000 if no one has said.", like(1000)]
    alpha_total: Annotated[str | None, "The largest alpha of a report.", like("2")]
    strength: Annotated[str | None, {"enum": ["strong", "moderate", "weak", "hardly-any", None]} | like("moderate")]
    people_needed: Annotated[int | None, _NEEDED, like(1490)]
    target: Annotated[Target, _TARGET, like("respondents")]
    draws: Annotated[list[PrivacyDraw], "The draws of several questions that everyone is asked."]
    forms: list[PrivacyForm]
    questions: list[PrivacyQuestion]


class Wishes(TypedDict):
    """The wishes for a proposal."""

    total: Annotated[float | str, "The alpha of a whole report.", like(2)]
    n: NotRequired[Annotated[int, "Absent: as many as are expected.", WHOLE | like(1000)]]
    important: NotRequired[Annotated[list[str], "Keys of the questions that matter most.", like([])]]
    points: NotRequired[
        Annotated[float | str, "The largest allowed half-width of intervals, in percentage points.", like(5)]
    ]
    widths: NotRequired[
        Annotated[dict[str, float | str], "The same for single questions by key.", like({"by_bike": 4})]
    ]
    own: NotRequired[Annotated[dict[str, float | str], "Everyone is asked these, each with this alpha.", like({})]]
    crossed: NotRequired[Annotated[list[list[str]], "Pairs of keys that are to be crossed.", like([])]]
    all_crossed: NotRequired[Annotated[bool, "Whether all pairs are to be crossed.", like(False)]]


class AcceptedPlan(Wishes):
    mark: Annotated[str, "The mark of the proposal that you read.", MARKED]
    which: NotRequired[Annotated[Literal["proposal", "everything"], "By default the proposal."]]


class ProposedDraw(TypedDict):
    """Questions that are randomized together, or a single one."""

    questions: Annotated[list[str], _KEYS]
    alpha: Annotated[str, like("2")]
    sizes: Annotated[list[int | list[int]], f"{_SIZES}; empty where the mechanism lists none."]


class ProposedForm(TypedDict):
    weight: Annotated[int, like(1)]
    people: Annotated[int, like(500)]
    alpha: Annotated[str, "The alpha of all draws of the form.", like("2")]
    draws: list[ProposedDraw]


class Proposed(TypedDict):
    everyone: Annotated[list[ProposedDraw], "The draws for everyone."]
    forms: Annotated[list[ProposedForm], "None, or two or more."]
    half_widths: Annotated[dict[str, float | None], _WIDTH + " null where nothing is published.", _WIDTHS]
    uncrossed: Annotated[list[list[str]], "Pairs to be crossed that cannot be.", like([])]
    crossing_cost: Annotated[
        float | None,
        "The fraction of additional people that the shares need because pairs are crossed; null without pairs.",
        like(0.06),
    ]


class PossibleDocument(TypedDict):
    """The precision that is possible if only these questions are asked."""

    questions: Annotated[list[str], _KEYS]
    least: Annotated[float | None, "The narrowest half-width.", like(0.061)]
    most: Annotated[float | None, "The widest.", like(0.061)]


class ProposalDocument(TypedDict):
    mark: Annotated[str, MARK, MARKED]
    n: Annotated[int, like(1000)]
    total: Annotated[str, like("2")]
    target: Annotated[Target, _TARGET, like("respondents")]
    possible: Annotated[list[PossibleDocument], "For one question, for three, and for all."]
    stands: Annotated[
        bool, "The proposal is the present design: everything else that could be proposed is worse.", like(False)
    ]
    proposal: Proposed
    people_needed: Annotated[int | None, _FEWEST, like(1490)]


class NewAlpha(TypedDict):
    mark: Annotated[str, MARK, MARKED]
    alpha: Annotated[float | str, "From 0.01 to 16, for all answers of its draw together.", like("1.2")]
    form: NotRequired[Annotated[int, "The form, from 1 on, where several ask it. Absent: the first.", WHOLE | like(1)]]
    mechanism: NotRequired[Annotated[str, "Absent: the most precise."]]
    size: NotRequired[
        Annotated[int, "For randomized response: how many options a report lists. Absent: the best.", WHOLE | like(2)]
    ]
    delta: NotRequired[Annotated[float | str, "Only for mechanisms with a delta.", like("0.000001")]]


class NewHome(TypedDict):
    mark: Annotated[str, MARK, MARKED]
    to: Annotated[str, "“everyone”, “new” for a new form, “none”, or the number of a form from 1 on.", like("new")]
    at: NotRequired[Annotated[int, "The form that it leaves, from 1 on. Absent: the first.", WHOLE | like(1)]]
    also: NotRequired[Annotated[bool, "Whether it also stays in its forms."]]


class NewForm(TypedDict):
    mark: Annotated[str, MARK, MARKED]
    weight: Annotated[int, "The weight by which browsers draw the form.", WHOLE | like(1)]
    alpha: Annotated[float | str, "The alpha of the form's draws, divided in their present proportions.", like("2")]


class NewDraw(TypedDict):
    mark: Annotated[str, MARK, MARKED]
    form: Annotated[int, "The form, from 1; 0 for the questions for everyone.", {"minimum": 0} | like(1)]
    questions: Annotated[list[str], _KEYS]
    together: Annotated[bool, "Whether they are randomized together; otherwise separately."]
