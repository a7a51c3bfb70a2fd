"""Local differential privacy, in the order of the mathematics.

Integer tables and their proof (exact, words, packing, tables), the mechanisms, what a report says about one category
(scores), the kinds of question, the twin of the browser (privatize), totals of many reports (tally, kernels), inference
from totals, split questionnaires and draws of several answers (forms), what no mechanism can exceed (bounds), planning,
what a trusted curator could publish (central), a release's document (results, document, tidy), and a release's
downloads in a notebook (notebook).

The package knows no Django, clock or setting, and opens no file but those given to `read`. Randomness is an argument.
"""

from typing import Any

__all__ = ["read"]


def read(microdata: Any, codebook: Any) -> Any:
    """Return a release's downloaded reports, an ldp.notebook.Reports."""
    from ldp import notebook

    return notebook.read(microdata, codebook)
