"""The designer's desk for now: drafts as JSON, opened and closed by actions. Reports cannot be browsed here."""

import json
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.db.models import Max, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from surveys.definition import DraftDecoder, DraftRefused, build, warnings
from surveys.lifecycle import close_survey, open_survey
from surveys.models import Survey

admin.site.site_header = "Deniable"
admin.site.site_title = "Deniable"
admin.site.index_title = "Surveys and people"


EXAMPLE = {
    "title": "",
    "introduction": "",
    "questions": [
        {"key": "first", "kind": "yes_no", "text": "", "alpha": "1"},
        {"key": "second", "kind": "single_choice", "text": "", "options": ["", ""], "alpha": "1"},
        {"key": "third", "kind": "histogram", "text": "", "unit": "", "edges": ["0", "10", "20"], "alpha": "1"},
    ],
}


class Indented(json.JSONEncoder):
    """Drafts are edited by people."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"indent": 2})


class SurveyForm(forms.ModelForm):
    draft = forms.JSONField(
        encoder=Indented,
        decoder=DraftDecoder,
        widget=forms.Textarea(attrs={"rows": 30, "cols": 100, "spellcheck": "false"}),
        help_text="Title, introduction and questions. A question may also have “note”, “prefer_not_to_say”: true, and "
        "“mechanism”; without one, the most precise mechanism is chosen.",
    )
    closes_after = forms.IntegerField(
        required=False, min_value=1, help_text="Closes by itself at this number of reports. Frozen when opened."
    )

    batch = forms.IntegerField(
        required=False,
        min_value=settings.BATCH,
        max_value=settings.BACKLOG_MAX,
        help_text="Reports are taken and released in batches of at least so many. Frozen when opened. "
        f"Empty: {settings.BATCH}, the least on this site.",
    )

    class Meta:
        model = Survey
        fields = ["draft", "results_public", "closes_at", "closes_after", "batch"]

    def clean_draft(self) -> Any:
        draft = self.cleaned_data["draft"]
        try:
            build(draft)
        except DraftRefused as refusal:
            raise forms.ValidationError([str(one) for one in refusal.refusals]) from None
        return draft


@admin.register(Survey)
class SurveyAdmin(admin.ModelAdmin):
    form = SurveyForm
    list_display = ["title", "state", "reports_released", "opened_at", "closes_at"]
    list_filter = ["state"]
    readonly_fields = ["state", "links", "digest", "total", "cautions", "opened_at", "closed_at"]
    actions = ["open_surveys", "close_surveys"]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"draft": EXAMPLE} | super().get_changeform_initial_data(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Survey]:
        surveys: QuerySet[Survey] = super().get_queryset(request)
        return surveys.annotate(released=Max("release__n"))

    def get_fields(self, request: HttpRequest, obj: Survey | None = None) -> list[Any]:
        draft = "as_opened" if _is_frozen(obj) else "draft"
        return [draft, "results_public", "closes_at", "closes_after", "batch", *self.readonly_fields]

    def get_readonly_fields(self, request: HttpRequest, obj: Survey | None = None) -> list[str]:
        """What is frozen at opening is shown, not edited."""
        return [*self.readonly_fields, *(["as_opened", "draft", "closes_after", "batch"] if _is_frozen(obj) else [])]

    def has_delete_permission(self, request: HttpRequest, obj: Survey | None = None) -> bool:
        return not _is_frozen(obj) and super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        # Deleting many at once would not ask has_delete_permission for each.
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    def save_model(self, request: HttpRequest, obj: Survey, form: Any, change: bool) -> None:
        if _is_frozen(obj):
            # Only what the form may change: the worker may be closing the survey at this moment.
            obj.save(update_fields=["results_public", "closes_at"])
        else:
            obj.title = build(obj.draft)["title"]
            super().save_model(request, obj, form, change)

    @admin.display(description="draft")
    def as_opened(self, survey: Survey) -> str:
        return format_html("<pre>{}</pre>", json.dumps(survey.draft, indent=2, ensure_ascii=False))

    @admin.display(description="reports at the last release")
    def reports_released(self, survey: Survey) -> int:
        return getattr(survey, "released", None) or 0

    @admin.display(description="links")
    def links(self, survey: Survey) -> str:
        if not survey.slug:
            return "given when the survey is opened, by the actions above the list of surveys"
        return format_html(
            '<a href="{0}">respondents: {0}</a><br><a href="{1}">results: {1}</a>',
            reverse("respond", args=[survey.slug]),
            reverse("results", args=[survey.slug]),
        )

    @admin.display(description="alpha in total")
    def total(self, survey: Survey) -> str:
        return survey.alpha_total if survey.canonical else "–"

    @admin.display(description="to think about")
    def cautions(self, survey: Survey) -> str:
        try:
            definition = survey.definition if survey.canonical else build(survey.draft) if survey.draft else None
        except DraftRefused as refusal:  # stored when other rules held
            return "; ".join(map(str, refusal.refusals))
        return "; ".join(warnings(definition)) or "–" if definition else "–"

    @admin.action(description="Open: freeze the definition and take reports", permissions=["change"])
    def open_surveys(self, request: HttpRequest, queryset: QuerySet[Survey]) -> None:
        for survey in queryset:
            try:
                open_survey(survey)
            except ValueError as refusal:
                self.message_user(request, f"{survey}: {refusal}", messages.ERROR)
            else:
                self.message_user(request, f"{survey} is open.", messages.SUCCESS)

    @admin.action(description="Close: take no more reports", permissions=["change"])
    def close_surveys(self, request: HttpRequest, queryset: QuerySet[Survey]) -> None:
        for survey in queryset:
            if close_survey(survey):
                self.message_user(request, f"{survey} is closed.", messages.SUCCESS)
            else:
                self.message_user(request, f"{survey} was not open.", messages.ERROR)


def _is_frozen(survey: Survey | None) -> bool:
    return survey is not None and not survey.is_draft
