"""Local differential privacy, in the order of the mathematics.

Integer tables and their proof (exact, words, packing, tables); mechanisms; scores, which connect a report with one
category; kinds of question; the browser's twin (privatize); totals of many reports (tally, kernels); inference; split
questionnaires and joint draws (forms); bounds; planning; a trusted curator (central); a release's document (results,
document, tidy); its downloads in a notebook (notebook).

The package uses no Django, clock or setting. Only `read` opens files. Randomness is an argument.
"""

from typing import Any

__all__ = ["read"]


def read(microdata: Any, codebook: Any) -> Any:
    """Return the reports of a downloaded release (ldp.notebook.Reports)."""
    from ldp import notebook

    return notebook.read(microdata, codebook)
