"""Permissions at each URL of the site, one line each. test_addresses.py tries all of them.

Each line says what GET and POST answer. A POST sends an empty form unless the line has one. A URL that answers
differently for different values has several lines, distinguished by the text after a #. Below /surveys/<number>/, the
role of a line must be the role that its view requires (surveys/access.py).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from surveys.models import Role
from surveys.researcher.analyses.frame.counted import Counted
from surveys.researcher.analyses.registry import COUNTED

VISITORS = ("anonymous", "account", *Role, "superuser")
ANY = range(200, 500)  # any answer of the page to a user who may see it


class Published(NamedTuple):
    """The parts of a survey that anyone may see."""

    results: bool
    microdata: bool


def may(who: str, role: Role) -> bool:
    return who == "superuser" or (who in list(Role) and Role(who).covers(role))


@dataclass
class Everyone:
    status: object = 200

    def __call__(self, who: str, published: Published) -> object:
        return self.status


@dataclass
class Needs:
    """Users with this role on the survey. Others with an account do not learn that it exists."""

    role: Role
    status: object = 200

    def __call__(self, who: str, published: Published) -> object:
        return self.status if may(who, self.role) else 302 if who == "anonymous" else 404


@dataclass
class Results:
    """Anyone if results are published; else users with a role on the survey."""

    status: object = 200

    def __call__(self, who: str, published: Published) -> object:
        return self.status if published.results or may(who, Role.VIEWER) else 404


@dataclass
class Downloads:
    """Anyone if anything is published; else users with a role on the survey."""

    def __call__(self, who: str, published: Published) -> object:
        return 200 if any(published) or may(who, Role.VIEWER) else 404


@dataclass
class Microdata:
    """Anyone if the randomized reports are published; else researchers."""

    def __call__(self, who: str, published: Published) -> object:
        return 200 if published.microdata or may(who, Role.RESEARCHER) else 404


@dataclass
class Known:
    """The API for users with an account; others get 401."""

    status: object = 200

    def __call__(self, who: str, published: bool) -> object:
        return 401 if who == "anonymous" else self.status


@dataclass
class Manages:
    """The studio's API, for users with this role on the survey."""

    role: Role
    status: object = 200

    def __call__(self, who: str, published: Published) -> object:
        return self.status if may(who, self.role) else 401 if who == "anonymous" else 404


@dataclass
class SignedIn:
    status: object = 200

    def __call__(self, who: str, published: Published) -> object:
        return 302 if who == "anonymous" else self.status


@dataclass
class Strangers:
    """For visitors who are not signed in; others are redirected."""

    status: object = 200

    def __call__(self, who: str, published: Published) -> object:
        return self.status if who == "anonymous" else 302


@dataclass
class Superusers:
    status: object = ANY

    def __call__(self, who: str, published: Published) -> object:
        return self.status if who == "superuser" else 302 if who == "anonymous" else 404


REFUSED = Everyone(405)
CROSSED = {"first": "yes", "second": "which"}
EXPLAINED = {"model": "logistic", "outcome": "yes", "covariates": [{"key": "which"}]}
WEIGHTED = {"question": "yes", "margins": [{"key": key, "shares": [0.5, 0.5]} for key in ("sex", "town")]}
# One specification of each analysis, and the subject of its picture.
SPECIFICATIONS: dict[str, dict[str, Any]] = {
    "crossing": CROSSED,
    "regression": EXPLAINED,
    "raking": WEIGHTED,
    "subgroups": {"stratum": CROSSED["first"]},
}
PICTURED = {"regression": {"what": "effects", "format": "svg"}}


class Line(NamedTuple):
    get: Callable[[str, Published], object]
    post: Callable[[str, Published], object] = REFUSED
    survey: str = "ended"  # the survey of the URL: "ended", "open" or "draft"
    values: Mapping[str, object] = {}  # values for parts of the URL, if not the usual ones
    form: Mapping[str, str] = {}  # the posted fields
    query: str = ""  # the URL's query, after the question mark


def _lines_of(analysis: Counted[Any]) -> Iterator[tuple[str, Line]]:
    name, data = analysis.name, SPECIFICATIONS[analysis.name]
    values = {} if analysis.parameter else data
    query = urlencode({analysis.parameter: json.dumps(data)}) if analysis.parameter else ""
    yield f"release-{analysis.plural}", Line(Results())
    yield f"ask-{name}", Line(Results(302), Needs(Role.RESEARCHER, 422))
    yield f"release-{name}", Line(Results(), values=values, query=query)
    yield f"release-{name}-file", Line(Results(), values=values | {"format": "csv"}, query=query)
    if analysis.picture_path:
        yield f"release-{name}-picture", Line(Results(), values=values | PICTURED.get(name, {}), query=query)
    yield f"api-{analysis.plural}", Line(Results())
    yield f"api-{name}", Line(Results(), Everyone(401), values=values, query=query)  # a session requests nothing
    yield f"api-{name}-csv", Line(Results(), values=values, query=query)


TABLE = {
    **{name: line for analysis in COUNTED.values() for name, line in _lines_of(analysis)},
    # The site
    "home": Line(Everyone()),
    "favicon.ico": Line(Everyone(301), Everyone(301)),
    r"^apple-touch-icon[^/]*\.png$": Line(Everyone(301), Everyone(301)),
    "language": Line(Everyone(), Everyone()),
    "alive": Line(Everyone(), Everyone()),
    "health": Line(Everyone(), Everyone()),
    "status": Line(Everyone(503), Everyone(503)),  # no worker runs here
    "metrics": Line(Everyone(404), Everyone(404)),  # no token is set here
    "check": Line(Everyone()),
    "check-manifest": Line(Everyone()),
    "check-release": Line(Everyone()),
    "log-checkpoint": Line(Everyone()),
    "log-earlier-checkpoint": Line(Everyone(), values={"size": 1}),
    "log-policy": Line(Everyone()),
    "log-tile": Line(Everyone(), values={"level": "0", "place": "000.p/1"}),
    "log-inclusion": Line(Everyone(), values={"index": 0, "size": 1}),
    "log-consistency": Line(Everyone(), values={"before": 1, "size": 1}),
    "log-cosignatures": Line(Everyone(405), Everyone(422)),
    "check-head": Line(Everyone()),
    "check-verify": Line(Everyone()),
    # Respondents
    "respond": Line(Everyone()),
    "respond-changed-link": Line(Everyone(), values={"changed": "x/y"}),
    r"^(?:/*)[sS]\b": Line(Everyone()),
    "respond-definition": Line(Everyone(404)),  # no header names a survey here
    "respond-invitations": Line(Everyone(404)),  # also without a header
    "respond-reports": Line(Everyone(405), Everyone(415)),
    "respond-signature": Line(Everyone(405), Everyone(415)),
    "respond-file": Line(Everyone(), values={"name": "page.js"}),
    "definition": Line(Everyone()),
    "reports": Line(Everyone(405), Everyone(415), survey="open"),
    "signature": Line(Everyone(405), Everyone(415), survey="open"),
    # Results
    "results": Line(Results()),
    "release-log": Line(Downloads()),
    "plot": Line(Results()),
    "release": Line(Results()),
    "release-plot": Line(Results()),
    "question": Line(Results()),
    "release-question": Line(Results()),
    "release-question-picture": Line(Results(), values={"figure": "shares"}),
    "estimates": Line(Results()),
    "estimates-csv": Line(Results()),
    "release-estimates": Line(Results()),
    "release-estimates-csv": Line(Results()),
    "release-picture": Line(Results(), values={"key": "yes", "format": "svg"}),
    "release-card": Line(Results(), values={"key": "yes", "format": "svg"}),
    "release-dataset": Line(Downloads()),
    "downloads": Line(Downloads()),
    "release-downloads": Line(Downloads()),
    "release-codebook": Line(Downloads()),
    "release-download": Line(Results(), values={"name": "estimates.csv"}),
    "release-download#codebook": Line(Downloads(), values={"name": "codebook.json"}),
    "release-download#covariances": Line(Results(), values={"name": "covariances.csv"}),
    "release-workbook": Line(Results(202)),
    "release-download#readings": Line(Results(), values={"name": "readings.csv"}),
    "release-download#comparisons": Line(Results(), values={"name": "pairs.json"}),
    "release-download#microdata": Line(Microdata(), values={"name": "microdata.csv"}),
    "release-weighted": Line(Results(), Results(422), values=CROSSED),  # a file of shares may be sent, but none is here
    "release-weighted-file": Line(Results(400), values=CROSSED | {"format": "csv"}),  # without known shares
    "release-honesty": Line(Results()),
    "release-known-file": Line(Results(), values={"format": "csv"}, query="answer=yes:1&share=40"),
    "release-corrected": Line(Results(404), values=CROSSED),  # without an attention question
    "release-corrected-file": Line(Results(404), values=CROSSED | {"format": "csv"}),
    "release-comparisons": Line(Results()),
    "release-comparisons-file": Line(Results(), query="question=yes&value=40", values={"format": "csv"}),
    "release-value-comparison-file": Line(Results(), query="value=40", values={"format": "csv"}),
    "release-versions-file": Line(Results(), values={"format": "csv"}),
    "release-waves": Line(Results()),
    "release-waves-file": Line(Results(), values={"format": "csv"}),
    "release-waves-picture": Line(Results(404), values={"format": "svg"}),  # it follows no survey
    "keep-microdata": Line(REFUSED, Needs(Role.RESEARCHER, 302), form={"to": "yes"}),
    "prepare-microdata": Line(REFUSED, Needs(Role.RESEARCHER, 302)),
    "schema": Line(Everyone()),
    "draft-schema": Line(Everyone()),
    "api": Line(Everyone()),
    "api-program": Line(Everyone(), values={"name": "deniable.py"}),
    "api-nothing": Line(Everyone(404), Everyone(404)),
    "api-surveys": Line(Known()),
    "api-survey": Line(Results()),
    # The surveys are by open link; tests/api/test_invitations.py has the others. A session does nothing.
    "api-invitations": Line(Everyone(404), Everyone(401)),
    **{
        f"api-{name}": Line(REFUSED, Everyone(401))
        for name in ("emails", "reminders", "replacements", "revocations", "bounces")
    },
    # The studio's API: a session reads and changes nothing. tests/api/studio has the tokens.
    "api-studio": Line(Known(), Everyone(401)),
    "api-studio-survey": Line(Manages(Role.VIEWER), Everyone(401)),
    "api-studio-draft": Line(Manages(Role.DESIGNER), Everyone(401), survey="draft"),
    "api-studio-history": Line(Manages(Role.DESIGNER), Everyone(401), survey="draft"),
    "api-studio-snapshot": Line(Known(404), Everyone(401), survey="draft", values={"snapshot": 10**9}),
    "api-studio-return": Line(Known(405), Everyone(401), survey="draft", values={"snapshot": 10**9}),
    "api-studio-undo": Line(Manages(Role.DESIGNER), Everyone(401), survey="draft"),
    "api-studio-bank": Line(Manages(Role.DESIGNER), Everyone(401), survey="draft"),
    "api-studio-comments": Line(Manages(Role.DESIGNER), Everyone(401)),
    "api-studio-comment": Line(Known(405), Everyone(401), values={"comment": 10**9}),
    "api-studio-opening": Line(Known(405), Everyone(401), survey="draft"),
    "api-studio-closing": Line(Known(405), Everyone(401)),
    "api-studio-versions": Line(Known(405), Everyone(401)),
    "api-studio-xlsforms": Line(Known(405), Everyone(401)),
    "api-studio-xlsx": Line(Manages(Role.DESIGNER), Everyone(401)),
    "api-studio-imported": Line(Known(404), Everyone(401)),  # it did not begin with a form
    "api-studio-imported-remark": Line(Known(405), Everyone(401), values={"remark": 1}),
    "api-studio-preview": Line(Manages(Role.DESIGNER), Everyone(401), survey="draft"),
    "api-studio-tests": Line(Manages(Role.DESIGNER), Everyone(401), survey="draft"),
    "api-studio-trial": Line(Manages(Role.DESIGNER), Everyone(401)),
    "api-studio-jobs": Line(Manages(Role.RESEARCHER), Everyone(401)),
    "api-studio-evidence": Line(Manages(Role.DESIGNER), Everyone(401)),
    "api-studio-evidence-file": Line(Manages(Role.DESIGNER), Everyone(401), values={"name": "annex.en.html"}),
    "api-studio-disclosure": Line(Manages(Role.DESIGNER), Everyone(401)),
    "api-studio-audit": Line(Manages(Role.OWNER), Everyone(401)),
    "api-studio-webhooks": Line(Manages(Role.DESIGNER), Everyone(401)),
    "api-studio-webhook": Line(Known(405), Everyone(401), values={"webhook": 1}),
    "api-studio-webhook-tests": Line(Known(405), Everyone(401), values={"webhook": 1}),
    "api-studio-webhook-repeats": Line(Known(405), Everyone(401), values={"webhook": 1, "delivery": "msg_x"}),
    "api-studio-team": Line(Manages(Role.OWNER), Everyone(401)),
    "api-studio-member": Line(Known(405), Everyone(401)),
    "api-studio-role-links": Line(Known(405), Everyone(401)),
    "api-studio-role-link": Line(Known(405), Everyone(401)),
    "api-studio-privacy": Line(Manages(Role.DESIGNER), Everyone(401)),
    "api-studio-proposal": Line(Known(405), Everyone(401)),
    "api-studio-alpha": Line(Known(405), Everyone(401)),
    "api-studio-home": Line(Known(405), Everyone(401)),
    "api-studio-form": Line(Known(405), Everyone(401)),
    "api-studio-draws": Line(Known(405), Everyone(401)),
    "api-releases": Line(Results()),
    "api-release": Line(Results()),
    "api-covariances": Line(Results()),
    "api-covariances-csv": Line(Results()),
    "api-shares-csv": Line(Results()),
    "api-workbook": Line(Results(202)),
    "api-readings": Line(Results()),
    "api-readings-csv": Line(Results()),
    "api-pairs": Line(Results()),
    "api-pairs-csv": Line(Results()),
    "api-trend": Line(Results()),
    "api-trend-csv": Line(Results()),
    "api-forged": Line(Results()),
    "api-forged-csv": Line(Results()),
    "api-comparisons": Line(Results(), query="question=yes&value=40"),
    "api-comparisons-csv": Line(Results(), query="question=yes&value=40"),
    "api-value-comparison": Line(Results(), query="question=yes&value=40"),
    "api-value-comparison-csv": Line(Results(), query="question=yes&value=40"),
    "api-versions": Line(Results()),
    "api-versions-csv": Line(Results()),
    "api-codebook": Line(Downloads()),
    "api-weighted": Line(Results(400), values=CROSSED),  # without known shares
    "api-weighted-csv": Line(Results(400), values=CROSSED),
    "api-waves": Line(Results()),
    "api-waves-csv": Line(Results()),
    "api-known": Line(Results(), query="question=yes&option=1&share=40"),
    "api-known-csv": Line(Results(), query="question=yes&option=1&share=40"),
    "api-corrected": Line(Results(404), values=CROSSED),  # without an attention question
    "api-corrected-csv": Line(Results(404), values=CROSSED),
    "api-microdata": Line(Microdata(), Everyone(401)),  # a session requests nothing
    "api-microdata-file": Line(Microdata(), values={"name": "microdata.csv"}),
    # The lab
    "lab": Line(Everyone()),
    "lab-mean": Line(Everyone()),
    "lab-tests": Line(Everyone()),
    "lab-quantiles": Line(Everyone()),
    "lab-noise": Line(Everyone()),
    "lab-together": Line(Everyone()),
    "lab-forms": Line(Everyone()),
    "lab-limits": Line(Everyone()),
    "lab-mathematics": Line(Everyone()),
    "lab-figure": Line(Everyone(), values={"figure": "people"}),
    "lab-numbers": Line(Everyone(), values={"figure": "people"}),
    # The studio
    "surveys": Line(SignedIn()),
    "survey-new": Line(SignedIn(), SignedIn(302), form={"begin": "blank"}),
    "survey": Line(Needs(Role.VIEWER)),
    "survey-questions": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 302), "draft"),
    "survey-question": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 302), "draft"),
    "survey-section": Line(Needs(Role.DESIGNER, 302), Needs(Role.DESIGNER, 409), "draft"),
    "survey-texts": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 302), "draft"),
    "survey-bank": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 302), "draft"),
    "survey-comments": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 422), "draft"),
    "survey-history": Line(Needs(Role.DESIGNER), survey="draft"),
    "survey-snapshot": Line(Needs(Role.DESIGNER, 404), Needs(Role.DESIGNER, 404), "draft", {"pk": 1}),
    "survey-pictures": Line(REFUSED, Needs(Role.DESIGNER, 302), survey="draft"),
    "survey-undo": Line(REFUSED, Needs(Role.DESIGNER, 302), survey="draft"),
    "survey-files": Line(Needs(Role.DESIGNER)),
    "survey-imported": Line(Needs(Role.DESIGNER, 302), Needs(Role.DESIGNER, 302)),  # nothing was imported
    "survey-imported-text": Line(Needs(Role.DESIGNER, 404)),
    "survey-json": Line(Needs(Role.DESIGNER)),
    "survey-xlsform": Line(Needs(Role.DESIGNER)),
    "survey-copy": Line(REFUSED, Needs(Role.DESIGNER, 302)),
    "survey-alpha": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 404), survey="draft"),
    "survey-alpha-trial-plot": Line(Needs(Role.DESIGNER, 404), survey="draft"),
    "survey-trial-plot": Line(Needs(Role.DESIGNER)),
    "survey-preview": Line(Needs(Role.DESIGNER)),
    "survey-preview-definition": Line(Needs(Role.DESIGNER)),
    "survey-try": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 302), "draft"),
    "survey-try-link": Line(REFUSED, Needs(Role.DESIGNER, 302), "draft"),
    "survey-try-code": Line(Needs(Role.DESIGNER), survey="draft"),
    "survey-try-page": Line(Needs(Role.DESIGNER), survey="draft"),
    "survey-try-definition": Line(Needs(Role.DESIGNER), survey="draft"),
    "survey-try-reports": Line(REFUSED, Needs(Role.DESIGNER, 422), "draft"),
    # Anyone with the testers' link, with or without an account.
    "try": Line(Everyone(), survey="draft"),
    "try-definition": Line(Everyone(), survey="draft"),
    "try-reports": Line(Everyone(405), Everyone(422), "draft"),
    "try#unknown": Line(Everyone(404), values={"link": "unknown"}),
    "survey-open": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 409), "draft"),
    "survey-share": Line(Needs(Role.DESIGNER), survey="open"),
    "survey-typed": Line(REFUSED, Needs(Role.DESIGNER, 302), "open"),
    # The survey has an open link; tests/designer/studio/test_invitations.py has the others.
    "survey-invitations": Line(Needs(Role.DESIGNER, 404), survey="open"),
    "survey-invite": Line(REFUSED, Needs(Role.DESIGNER, 404), "open"),
    "survey-invitation-lost": Line(REFUSED, Needs(Role.DESIGNER, 404), "open"),
    "survey-invitation-back": Line(REFUSED, Needs(Role.DESIGNER, 404), "open"),
    "survey-invitations-mail": Line(Needs(Role.DESIGNER, 404), survey="open"),
    "survey-letters": Line(REFUSED, Needs(Role.DESIGNER, 404), "open"),
    "survey-reminder": Line(REFUSED, Needs(Role.DESIGNER, 404), "open"),
    "survey-letters-stop": Line(REFUSED, Needs(Role.DESIGNER, 404), "open"),
    "survey-letters-undeliverable": Line(REFUSED, Needs(Role.DESIGNER, 404), "open"),
    "survey-addresses-forget": Line(REFUSED, Needs(Role.DESIGNER, 404), "open"),
    "survey-evidence": Line(Needs(Role.DESIGNER)),
    "survey-disclosure": Line(REFUSED, Needs(Role.DESIGNER, 302)),
    "survey-evidence-file": Line(Needs(Role.DESIGNER), values={"name": "statement.en.html"}),
    "survey-evidence-file#archive": Line(Needs(Role.DESIGNER), values={"name": "archive.zip"}),
    "survey-evidence-file#draft": Line(Needs(Role.DESIGNER, 404), survey="draft", values={"name": "registry.yaml"}),
    "survey-code": Line(Needs(Role.DESIGNER), survey="open"),
    "survey-progress": Line(Needs(Role.VIEWER)),
    "survey-progress-picture": Line(Needs(Role.VIEWER)),
    "survey-close": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 302), "open"),
    "survey-asked": Line(Needs(Role.VIEWER)),
    "survey-languages": Line(Needs(Role.DESIGNER, 302), Needs(Role.DESIGNER, 302)),
    "survey-end": Line(REFUSED, Needs(Role.DESIGNER, 302)),
    "survey-beginning": Line(REFUSED, Needs(Role.DESIGNER, 302)),
    "survey-publication": Line(REFUSED, Needs(Role.OWNER, 302), form={"to": "yes"}),
    "survey-keep-files": Line(REFUSED, Needs(Role.DESIGNER, 302), form={"to": "yes"}),
    "survey-microdata": Line(REFUSED, Needs(Role.OWNER, 302), form={"to": "yes"}),
    "survey-archive": Line(REFUSED, Needs(Role.OWNER, 302), form={"to": "yes"}),
    "survey-version": Line(REFUSED, Needs(Role.DESIGNER, 302)),
    "survey-participation": Line(REFUSED, Needs(Role.DESIGNER, 302)),
    "survey-groups": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 302), survey="draft"),
    "survey-alerts": Line(Needs(Role.VIEWER)),
    "survey-alerts-mail": Line(REFUSED, Needs(Role.VIEWER, 302), form={"to": "no"}),
    "survey-alerts-confirm": Line(Needs(Role.VIEWER, 302), Needs(Role.VIEWER, 302)),
    "survey-webhooks": Line(REFUSED, Needs(Role.DESIGNER, 422)),
    "survey-webhook-remove": Line(REFUSED, Needs(Role.DESIGNER, 404), values={"webhook": 1}),
    "survey-webhook-test": Line(REFUSED, Needs(Role.DESIGNER, 404), values={"webhook": 1}),
    "survey-webhook-again": Line(REFUSED, Needs(Role.DESIGNER, 404), values={"webhook": 1, "name": "msg_x"}),
    "survey-next-wave": Line(REFUSED, Needs(Role.DESIGNER, 302)),
    "survey-delete": Line(Needs(Role.OWNER), Needs(Role.OWNER, 422)),
    "team": Line(Needs(Role.OWNER), Needs(Role.OWNER)),
    "member": Line(REFUSED, Needs(Role.OWNER, 302)),
    "revoke-invitation": Line(REFUSED, Needs(Role.OWNER, 302)),
    "audit": Line(Needs(Role.OWNER)),
    # Accounts
    "account": Line(SignedIn()),
    "account-zone": Line(REFUSED, SignedIn(422)),
    "mfa_index": Line(SignedIn()),
    "tokens": Line(SignedIn()),
    "token-new": Line(Everyone(302), Everyone(302)),
    "token-revoke": Line(REFUSED, SignedIn(404)),  # the account has no token
    "account_login": Line(Strangers(), Strangers()),
    "account_logout": Line(SignedIn(), Everyone(302)),
    "account_signup": Line(Strangers(), Strangers()),
    "invitation": Line(Everyone(404), Everyone(404)),
    "account_change_password": Line(SignedIn(), SignedIn()),
    "account_reauthenticate": Line(SignedIn(), SignedIn()),
    "mfa_authenticate": Line(Everyone(302), Everyone(302)),
    "mfa_reauthenticate": Line(Everyone(302), Everyone(302)),
    "mfa_activate_totp": Line(Everyone(302), Everyone(302)),
    "mfa_deactivate_totp": Line(SignedIn(404), SignedIn(404)),
    "mfa_view_recovery_codes": Line(SignedIn(404), SignedIn(405)),
    "mfa_generate_recovery_codes": Line(Everyone(302), Everyone(302)),
}
ADMINISTRATION = Line(Superusers(), Superusers())
