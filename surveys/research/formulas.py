"""How each mechanism's reports become estimates, in words and formulas; docs/recompute.md has all of it."""

from typing import Any, NamedTuple

from ldp.mechanisms import of

Question = dict[str, Any]


class Formula(NamedTuple):
    """A method's score of one report. Its mean is `a` where the option is true and `b` where it is not."""

    method: str
    score: str
    a: float
    b: float


TABLES = {
    "randomized_response": "other: the chance, out of 2^53, of each other option.",
    "subset": "m: how many options are in a set; in: the chance, out of 2^53, that the true one is among them.",
    "bitwise": "flip: the chance, out of 2^53, that a bit is changed.",
    "exponential": "rows: for each true option the chances of the options sent, added up one after the other, out of "
    "2^53.",
    "laplace": "flip: the chance, out of 2^53, that a bit is changed; magnitude: for the binary digits 1, 2, 4, ... of "
    "the magnitude the chance, out of 2^53, that each is 1.",
    "osgt": "noise: the chances of the noise -J to J, added up one after the other, out of 2^53.",
    "gaussian": "noise: the chances of the noise -J to J, added up one after the other, out of 2^53.",
    "one_bit": "other: the chance, out of 2^53, that the bit is changed.",
    "laplace_mean": "rows: for each point 0 to G of the scale the chances of what is sent, from -B to G + B, added up "
    "one after the other, out of 2^53.",
    "multiple": "sample: how many options a report is about; other: the chance, out of 2^53, that a bit is changed.",
    "grid": "sample: how many items a report is about; other: the chance, out of 2^53, of each other option.",
}
SCORES = {
    ("randomized_response", "support"): "1 where the option is the one sent, else 0",
    ("subset", "support"): "1 where the option is in the set, else 0",
    ("bitwise", "support"): "the option's bit",
    ("exponential", "inverse"): "phi_j(z), where z is sent: row z and column j of the inverse of the matrix of chances",
    ("laplace", "threshold"): "1 where the bin's number is 1 or more, else 0",
    ("laplace", "sum"): "the bin's number",
    ("osgt", "sum"): "the bin's number",
    ("gaussian", "sum"): "the bin's number",
    ("one_bit", "mean"): "the bit",
    ("laplace_mean", "mean"): "phi(y) = (y + c_y)/G, where y is sent; c_y is 0 outside of 0..G, and inside it solves: "
    "the mean of phi at point x is x/G, for every x",
    ("multiple", "support"): "the option's bit, over the reports that are about it",
    ("grid", "support"): "1 where the option is the one sent, else 0, over the reports that are about the item",
}
ESTIMATE = "estimate = (S/n - b)/(a - b), S being the total of the scores over the n reports"
ON_ITS_SCALE = "; put on the scale: low + (high - low) times that"


def of_question(question: Question) -> list[Formula]:
    """One for each method, the default one first."""
    name, moments = question["mechanism"], of(question).moments()
    return [Formula(method, SCORES[name, method], float(law.a), float(law.b)) for method, law in moments.items()]


def estimate(question: Question) -> str:
    return ESTIMATE + (ON_ITS_SCALE if question["kind"] == "mean" else "")
