"""Local differential privacy, in the order of the mathematics.

Integer tables and their proof (exact, words, packing, tables), the mechanisms, what a report says about one
category (scores), the kinds of question, the twin of the browser (privatize), totals of many reports (tally, kernels),
inference from totals, forms (a part of a questionnaire for each, several answers by one draw), what any mechanism could
reach (bounds), planning, what a trusted curator could do (central), the document that a release publishes (results,
document, tidy), and a release's downloads in a notebook (reading).

Knows nothing of Django, clocks or settings, and of files only what `read` opens. Randomness is always an argument.
"""

from typing import Any

__all__ = ["read"]


def read(microdata: Any, codebook: Any) -> Any:
    """A release's downloaded reports, ready for questions: see ldp.notebook, which needs numpy and scipy."""
    from ldp import notebook

    return notebook.read(microdata, codebook)
