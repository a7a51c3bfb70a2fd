"""All questions on one screen: what can be said of each, and one estimate with its interval to scale.

No number stands there that no truth can be, nor an interval without width. All shares have as many decimals as the
least certain one.
"""

from surveys.figures import numerals
from surveys.figures.display import Category, Result
from surveys.figures.layout import aside
from surveys.figures.scale import SHARES
from surveys.figures.targets import targeted
from surveys.researcher.results.findings import too_early
from surveys.rules.context import Context
from surveys.survey import kinds

ACROSS = 120  # units of the small picture's width


def rows(questions: list[tuple[list[Result], Context]]) -> list[Context]:
    """A row for each question, by its results and what the page says of it."""
    places = min(
        (
            numerals.decimals_of(results[0]["methods"][0])
            for results, card in questions
            if _has_number(results, card) and kinds.of(results[0]).scale(results[0]) == SHARES
        ),
        default=0,
    )
    return [_row(results, card, places) for results, card in questions]


def _has_number(results: list[Result], card: Context) -> bool:
    """A grid's are too many for one, as options are that are no answers, and where nothing can be said none says it."""
    several = not results or "facts" in card or not kinds.of(results[0]).options_are_answers
    return not several and not too_early(results[0])


def _row(results: list[Result], card: Context, places: int) -> Context:
    context = {name: card[name] for name in ("number", "text", "headline")}
    if not _has_number(results, card):
        return context
    result = results[0]
    leading = _leading(result)
    scale, ends = kinds.of(result).scale(result), targeted(leading)["simultaneous"]
    at = [(min(max(value, scale.low), scale.high) - scale.low) / scale.width for value in (*ends, leading["estimate"])]
    low, high, place = (f"{4 + (ACROSS - 8) * share:.1f}" for share in at)
    length = f"{max(float(high) - float(low), 1):.1f}"
    bar = {"low": low, "length": length, "place": place}
    number = _number(result, leading, places)
    if not scale.possible(leading):
        number["value"] = ""
    elif ends[0] >= ends[1]:  # the respondents' share can be known to the last of them
        number["interval"] = ""
    return context | {"bar": bar} | number


def _leading(result: Result) -> Category:
    """The category with the largest estimate, of those that are answers; of two answers the first, such as "yes"."""
    categories = result["methods"][0]["categories"]
    last = aside(result)
    answers = categories[:last] if last is not None and len(categories) == len(result["options"]) else categories
    if len(answers) == 2:
        return answers[0]
    return max(answers or categories, key=lambda category: float(category["estimate"]))


def _number(result: Result, leading: Category, places: int) -> Context:
    numbers = kinds.of(result).numbers(result, result["methods"][0])
    if "mean" in numbers:
        return {"value": numbers["mean"]["estimate"], "interval": numbers["mean"]["interval"]}
    interval = numerals.span(targeted(leading)["simultaneous"], places)
    value = numerals.share(leading["estimate"], places)
    return {"option": leading["option"], "value": f"{value}%", "interval": f"{interval}%"}
