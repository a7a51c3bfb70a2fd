"""The origins of pages that may show a survey in a frame.

A page around a survey can cover it, so two must agree: the site's operator, for all surveys (FRAME_HOSTS), and the
frozen definition, which is the same for all respondents. In a frame the page asks only if all pages around it have an
origin named here (framed.js). A draft may name an origin that the operator does not allow yet.
"""

from typing import Final

from django.utils.translation import gettext_noop as _

from surveys.rules.origins import HOLDER, is_holder
from surveys.rules.refusals import Refusals, broken, refuse
from surveys.rules.shapes import must
from surveys.rules.unchecked import Built, Unchecked

FIELD: Final = "frame_hosts"
MOST = 8
LENGTH = 200
PATTERN = rf"(?=.{{0,{LENGTH}}}$){HOLDER.pattern}"
RULE = _(
    "must be https:// with a host in lower case, perhaps a port, and nothing after it; on your own machine also "
    "http://localhost or http://127.0.0.1"
)


def build(draft: Unchecked, refusals: Refusals) -> Built:
    """Return the field of the definition; {} if the draft names no origin."""
    named = refusals.attempt(_origins, draft.get(FIELD, []))
    return {FIELD: named} if named else {}


def _origins(given: object) -> list[str]:
    if not isinstance(given, list) or len(given) > MOST:
        raise refuse(FIELD, "frame_hosts_count", _("must be a list of at most %(most)s origins"), most=MOST)
    refusals = Refusals()
    for place, each in enumerate(given):
        if not _fits(each):
            refusals.refused.append(broken(f"{FIELD}[{place}]", "frame_hosts_format", RULE))
    refusals.check()
    if len(set(given)) != len(given):
        raise refuse(FIELD, "repeated", _("must differ from each other"))
    return given


def _fits(origin: object) -> bool:
    return isinstance(origin, str) and len(origin) <= LENGTH and is_holder(origin)


def check(data: Unchecked) -> None:
    """Raise Misshapen unless the field lists different origins. It may be missing."""
    if FIELD in data:
        named = data[FIELD]
        must(isinstance(named, list) and 1 <= len(named) <= MOST and all(map(_fits, named)))
        must(len(set(named)) == len(named))
