"""The tables. A waiting report's row has its survey, form, random id and packed bytes, and nothing else.

A report waits as a row (Report) until a batch is full. Then the worker takes the batch: it adds the reports to the
tally (Tally), puts their bytes into a shuffled block (Block), and keeps only their ids (ReportId) to recognize retries.
Readers see changes only from release to release (Release).
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
