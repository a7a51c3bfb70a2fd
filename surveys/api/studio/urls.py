"""The URLs of the studio's API, below /api/v1/studio."""

from django.urls import path

from surveys.api.studio import (
    alerts,
    bank,
    comments,
    drafts,
    evidence,
    files,
    history,
    jobs,
    preview,
    privacy,
    settings,
    surveys,
    team,
)

STUDIO = "v1/studio"
SURVEY = f"{STUDIO}/<int:survey>"
PEOPLE, PRIVACY = f"{SURVEY}/people", f"{SURVEY}/privacy"

urlpatterns = [
    path(STUDIO, surveys.StudioSurveysView.as_view(), name="api-studio"),
    path(SURVEY, settings.StudioSurveyView.as_view(), name="api-studio-survey"),
    path(f"{SURVEY}/draft", drafts.DraftView.as_view(), name="api-studio-draft"),
    path(f"{SURVEY}/history", history.HistoryView.as_view(), name="api-studio-history"),
    path(f"{SURVEY}/history/<int:snapshot>", history.SnapshotView.as_view(), name="api-studio-snapshot"),
    path(f"{SURVEY}/history/<int:snapshot>/return", history.ReturnView.as_view(), name="api-studio-return"),
    path(f"{SURVEY}/undo", history.UndoView.as_view(), name="api-studio-undo"),
    path(f"{SURVEY}/bank", bank.BankView.as_view(), name="api-studio-bank"),
    path(f"{SURVEY}/comments", comments.CommentsView.as_view(), name="api-studio-comments"),
    path(f"{SURVEY}/comments/<int:comment>", comments.CommentView.as_view(), name="api-studio-comment"),
    path(f"{SURVEY}/opening", drafts.OpeningView.as_view(), name="api-studio-opening"),
    path(f"{SURVEY}/closing", drafts.ClosingView.as_view(), name="api-studio-closing"),
    path(f"{SURVEY}/versions", drafts.VersionsView.as_view(), name="api-studio-versions"),
    path(f"{SURVEY}/log", team.AuditView.as_view(), name="api-studio-audit"),
    path(f"{STUDIO}/forms", files.XlsformsView.as_view(), name="api-studio-xlsforms"),
    path(f"{SURVEY}/form.xlsx", files.XlsformView.as_view(), name="api-studio-xlsx"),
    path(f"{SURVEY}/imported", files.ImportView.as_view(), name="api-studio-imported"),
    path(f"{SURVEY}/imported/<int:remark>", files.ImportRemarkView.as_view(), name="api-studio-imported-remark"),
    path(f"{SURVEY}/preview", preview.PreviewView.as_view(), name="api-studio-preview"),
    path(f"{SURVEY}/tests", preview.TestAnswersView.as_view(), name="api-studio-tests"),
    path(f"{SURVEY}/trial", preview.TrialView.as_view(), name="api-studio-trial"),
    path(f"{SURVEY}/jobs", jobs.JobsView.as_view(), name="api-studio-jobs"),
    path(f"{SURVEY}/evidence", evidence.EvidenceView.as_view(), name="api-studio-evidence"),
    path(f"{SURVEY}/evidence/<str:name>", evidence.EvidenceFileView.as_view(), name="api-studio-evidence-file"),
    path(f"{SURVEY}/disclosure", evidence.DisclosureView.as_view(), name="api-studio-disclosure"),
    path(f"{SURVEY}/webhooks", alerts.WebhooksView.as_view(), name="api-studio-webhooks"),
    path(f"{SURVEY}/webhooks/<int:webhook>", alerts.WebhookView.as_view(), name="api-studio-webhook"),
    path(f"{SURVEY}/webhooks/<int:webhook>/tests", alerts.WebhookTestsView.as_view(), name="api-studio-webhook-tests"),
    path(
        f"{SURVEY}/webhooks/<int:webhook>/deliveries/<str:delivery>/repeats",
        alerts.WebhookRepeatsView.as_view(),
        name="api-studio-webhook-repeats",
    ),
    path(PEOPLE, team.TeamView.as_view(), name="api-studio-team"),
    path(f"{PEOPLE}/<int:member>", team.MemberView.as_view(), name="api-studio-member"),
    path(f"{PEOPLE}/invitations", team.RoleLinksView.as_view(), name="api-studio-role-links"),
    path(f"{PEOPLE}/invitations/<int:invitation>", team.RoleLinkView.as_view(), name="api-studio-role-link"),
    path(PRIVACY, privacy.PrivacyView.as_view(), name="api-studio-privacy"),
    path(f"{PRIVACY}/proposal", privacy.ProposalView.as_view(), name="api-studio-proposal"),
    path(f"{PRIVACY}/questions/<str:key>/alpha", privacy.AlphaView.as_view(), name="api-studio-alpha"),
    path(f"{PRIVACY}/questions/<str:key>/form", privacy.HomeView.as_view(), name="api-studio-home"),
    path(f"{PRIVACY}/draws", privacy.DrawView.as_view(), name="api-studio-draws"),
    path(f"{PRIVACY}/forms/<int:place>", privacy.FormView.as_view(), name="api-studio-form"),
]
