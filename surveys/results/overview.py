"""All questions on one screen: what can be said of each, and one estimate with its interval to scale."""

from surveys import kinds
from surveys.context import Context
from surveys.figures.display import Category, Result
from surveys.figures.layout import aside
from surveys.figures.targets import targeted
from surveys.results.findings import too_early

ACROSS = 120  # units of the small picture's width


def row(results: list[Result], card: Context) -> Context:
    """`card` is what the page says of it."""
    context = {name: card[name] for name in ("number", "text", "headline")}
    if not results or "facts" in card or too_early(results[0]):
        return context  # a grid has too many numbers for one, and where nothing can be said none says it
    result = results[0]
    leading = _leading(result)
    scale, ends = kinds.of(result).scale(result), targeted(leading)["simultaneous"]
    at = [(min(max(value, scale.low), scale.high) - scale.low) / scale.width for value in (*ends, leading["estimate"])]
    low, high, place = (f"{4 + (ACROSS - 8) * share:.1f}" for share in at)
    length = f"{max(float(high) - float(low), 1):.1f}"
    bar = {"low": low, "length": length, "place": place}
    return context | {"bar": bar, "is_beyond": not scale.possible(leading)} | _number(result, leading)


def _leading(result: Result) -> Category:
    """The category with the largest estimate, of those that are answers; of two answers the first, such as "yes"."""
    categories = result["methods"][0]["categories"]
    last = aside(result)
    answers = categories[:last] if last is not None and len(categories) == len(result["options"]) else categories
    if len(answers) == 2:
        return answers[0]
    return max(answers or categories, key=lambda category: float(category["estimate"]))


def _number(result: Result, leading: Category) -> Context:
    numbers = kinds.of(result).numbers(result, result["methods"][0])
    if "mean" in numbers:
        return {"value": numbers["mean"]["estimate"], "interval": numbers["mean"]["interval"]}
    numbers_of = next(row for row in numbers["rows"] if row["option"] == leading["option"])
    interval = numbers_of["simultaneous"]
    return {"option": leading["option"], "value": f"{numbers_of['share']}%", "interval": interval}
