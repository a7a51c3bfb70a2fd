"""The rate of false sentences above a plot: `python -m benchmarks.sentences` writes results/sentences.md.

Surveys are simulated where truth is hard to see: ties, near ties and rare shares, with few and many reports. A sentence
is false if any part is: a share or mean outside of its range, a most common answer that is not the only one, several
leading answers one of which does not lead, a pair in the wrong order or tied.
"""

import re
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

import benchmarks.site  # noqa: F401
from benchmarks import tables
from ldp.mechanisms import MECHANISMS
from ldp.results import results
from surveys.researcher.results.findings import findings

CONFIDENCE = 0.95
LAWS = {
    "ties": [0.25, 0.25, 0.25, 0.25],
    "two tied ahead": [0.4, 0.4, 0.1, 0.1],
    "near ties": [0.26, 0.25, 0.25, 0.24],
    "rare": [0.97, 0.01, 0.01, 0.01],
    "clear": [0.55, 0.3, 0.1, 0.05],
}
ALPHAS, SIZES = ("1", "4"), (20, 200, 2000)
KINDS = ("number", "most common", "one of several", "told apart", "mean", "any")


def survey(name: str, alpha: str, shares: list[float], n: int, generator: np.random.Generator) -> dict[str, Any]:
    """Return the result of a simulated survey with a channel that has few outputs."""
    d = len(shares)
    table = MECHANISMS[name].table(Fraction(alpha), d)
    asked = {"key": "q", "kind": "ordered", "alpha": alpha, "mechanism": name, "table": table}
    asked["options"] = [f"option {j}" for j in range(d)]
    [moments] = MECHANISMS[name].moments(table, d).values()
    channel = float(moments.b) + float(moments.gap) * np.eye(d)
    if name == "exponential":
        channel = np.array(moments.weights, dtype=float) / 2**53
    counts = generator.multinomial(n, np.array(shares) @ channel / (np.array(shares) @ channel).sum())
    return asked | results(asked, {next(iter(MECHANISMS[name].moments(table, d))): counts.tolist()}, n, CONFIDENCE)[0]


def mean_survey(alpha: str, n: int, generator: np.random.Generator) -> tuple[dict[str, Any], float]:
    """Return the result for answers mostly at the low end of a scale from 0 to 10, and the true mean."""
    table = MECHANISMS["laplace_mean"].table(Fraction(alpha), 1)
    [moments] = MECHANISMS["laplace_mean"].moments(table, 1).values()
    rows = np.array(moments.weights, dtype=float) / 2**53
    shares = np.zeros(len(rows))
    shares[0], shares[-1] = 0.9, 0.1
    asked = {"key": "q", "kind": "mean", "alpha": alpha, "mechanism": "laplace_mean", "table": table}
    asked |= {"low": "0", "high": "10", "unit": ""}
    counts = generator.multinomial(n, shares @ rows / (shares @ rows).sum())
    return asked | results(asked, {"mean": counts.tolist()}, n, CONFIDENCE)[0], 1.0


def false_kinds(result: dict[str, Any], truth: list[float] | float) -> set[str]:
    """Return the kinds of false statements in the sentences, judged by their text."""
    said = findings(result)
    found = {kind for sentence in said if (kind := _judged(sentence, truth))}
    if isinstance(truth, list) and any("beyond the margin" in one for one in said):
        ends = [category["population"]["simultaneous"] for category in result["methods"][0]["categories"]]
        apart = [(i, j) for i, one in enumerate(ends) for j, other in enumerate(ends) if one[0] > other[1]]
        found |= {"told apart" for i, j in apart if truth[i] <= truth[j]}
    return found | ({"any"} if found else set())


def _judged(sentence: str, truth: list[float] | float) -> str | None:
    if isinstance(truth, float):
        between = re.search(r"likely between (\S+) and (\S+?)\)?\.$", sentence)
        return "mean" if between and not float(between[1]) <= truth <= float(between[2]) else None
    named = [int(place) for place in re.findall(r"“option (\d+)”", sentence)]
    largest = [j for j, share in enumerate(truth) if share == max(truth)]
    if likely := re.search(r"ikely between (\S+)% and (\S+)%", sentence):
        low, high = float(likely[1]) / 100, float(likely[2]) / 100
        return None if low <= truth[named[0]] <= high else "number"
    if re.match(r"“option \d+” is the most common", sentence):
        return None if largest == named else "most common"
    if " lead; " in sentence or sentence.endswith("the intervals do not show which."):
        behind = [share for place, share in enumerate(truth) if place not in named]
        together = min(truth[place] for place in named) > max(behind)
        return None if set(largest) <= set(named) and ("lead" not in sentence or together) else "one of several"
    return None


def rates(name: str, alpha: str, law: str, n: int, surveys: int, generator: np.random.Generator) -> Counter[str]:
    found: Counter[str] = Counter()
    for _ in range(surveys):
        if law == "mean":
            found.update(false_kinds(*mean_survey(alpha, n, generator)))
        else:
            found.update(false_kinds(survey(name, alpha, LAWS[law], n, generator), LAWS[law]))
    return found


def report(surveys: int) -> list[str]:
    generator, lines = np.random.default_rng(64), []
    cells = [("randomized_response", law) for law in LAWS]
    cells += [("exponential", "two tied ahead"), ("exponential", "rare"), ("laplace_mean", "mean")]
    for name, law in cells:
        for alpha in ALPHAS:
            for n in SIZES:
                found = rates(name, alpha, law, n, surveys, generator)
                lines.append([name, law, alpha, f"{n:,}", *(f"{found[kind] / surveys:.3f}" for kind in KINDS)])
    error = (0.05 * 0.95 / surveys) ** 0.5
    most = max(float(line[-1]) for line in lines)
    return [
        __doc__.partition("\n\n")[2].strip(),
        "",
        f"{surveys} surveys a line; a rate of .05 has the standard error {error:.3f}. The largest rate is {most}.",
        "",
        *tables.table(["mechanism", "truth", "alpha", "n", *KINDS], lines),
    ]


if __name__ == "__main__":
    tables.write("sentences", "How often the sentences are false", report(tables.number("surveys", 200)))
