"""What is stored. A waiting report's row knows its survey, its random id and its packed bytes: nothing else.

A report's way: it waits as a row (Report) until a batch has gathered. Then the worker takes the batch: adds it to the
tally, puts its bytes into a shuffled block, and of each report only the id stays (ReportId), so that a retry is known.
What people see changes from release to release only (Release).
"""

from surveys.models.accounts import AuditEntry, Invitation, Membership, Profile, Role
from surveys.models.alert import Alert, AlertReader, Delivery, Webhook
from surveys.models.analysis import AnalysisRun
from surveys.models.comment import Comment
from surveys.models.disclosure import Disclosure
from surveys.models.draft import ImportNotes, Revision, Snapshot, TryoutLink, TryoutReport
from surveys.models.export import Export, ExportFile, ExportPart
from surveys.models.idempotency import IdempotencyKey
from surveys.models.log import Commitment, Cosignature, LogEntry
from surveys.models.recount import Recount, RecountPart
from surveys.models.release import GROWTH, Release
from surveys.models.report import Report, ReportId
from surveys.models.survey import Survey
from surveys.models.tally import Block, Tally
from surveys.models.token import Scope, Token
from surveys.models.turnout import Turnout
from surveys.models.workbook import Workbook

__all__ = [
    "GROWTH",
    "Alert",
    "AlertReader",
    "AnalysisRun",
    "AuditEntry",
    "Block",
    "Comment",
    "Commitment",
    "Cosignature",
    "Delivery",
    "Disclosure",
    "Export",
    "ExportFile",
    "ExportPart",
    "IdempotencyKey",
    "ImportNotes",
    "Invitation",
    "LogEntry",
    "Membership",
    "Profile",
    "Recount",
    "RecountPart",
    "Release",
    "Report",
    "ReportId",
    "Revision",
    "Role",
    "Scope",
    "Snapshot",
    "Survey",
    "Tally",
    "Token",
    "TryoutLink",
    "TryoutReport",
    "Turnout",
    "Webhook",
    "Workbook",
]
