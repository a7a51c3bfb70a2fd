"""The designer's desk for now: drafts as JSON, opened and closed by actions. Reports cannot be browsed here."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from surveys.definition import DraftRefused, build, warnings
from surveys.models import Survey

admin.site.site_header = "Deniable"
admin.site.site_title = "Deniable"
admin.site.index_title = "Surveys and people"


class SurveyForm(forms.ModelForm):
    class Meta:
        model = Survey
        fields = ["draft", "results_public", "closes_at"]

    def clean_draft(self) -> Any:
        draft = self.cleaned_data["draft"]
        try:
            build(draft)
        except DraftRefused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return draft


@admin.register(Survey)
class SurveyAdmin(admin.ModelAdmin):
    form = SurveyForm
    list_display = ["title", "state", "reports_counted", "opened_at", "closes_at"]
    list_filter = ["state"]
    readonly_fields = ["state", "links", "digest", "total", "thoughts", "opened_at", "closed_at"]
    fields = ["draft", "results_public", "closes_at", *readonly_fields]
    actions = ["open_surveys", "close_surveys"]

    def get_readonly_fields(self, request: HttpRequest, obj: Survey | None = None) -> list[str]:
        """What is frozen at opening is shown, not edited."""
        frozen = obj is not None and obj.state != Survey.State.DRAFT
        return [*self.readonly_fields, "draft"] if frozen else list(self.readonly_fields)

    def has_delete_permission(self, request: HttpRequest, obj: Survey | None = None) -> bool:
        drafts_only = obj is None or obj.state == Survey.State.DRAFT
        return drafts_only and super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        # Deleting many at once would not ask has_delete_permission for each.
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    def save_model(self, request: HttpRequest, obj: Survey, form: Any, change: bool) -> None:
        obj.title = build(obj.draft)["title"] if obj.state == Survey.State.DRAFT else obj.title
        super().save_model(request, obj, form, change)

    @admin.display(description="reports counted")
    def reports_counted(self, survey: Survey) -> int:
        return survey.tally.n if hasattr(survey, "tally") else 0

    @admin.display(description="links")
    def links(self, survey: Survey) -> str:
        if not survey.slug:
            return "given when the survey is opened"
        return format_html(
            '<a href="{0}">respondents: {0}</a><br><a href="{1}">results: {1}</a>',
            reverse("respond", args=[survey.slug]),
            reverse("results", args=[survey.slug]),
        )

    @admin.display(description="alpha in total")
    def total(self, survey: Survey) -> str:
        return survey.alpha_total if survey.definition else "–"

    @admin.display(description="to think about")
    def thoughts(self, survey: Survey) -> str:
        return "; ".join(warnings(build(survey.draft))) if survey.draft else "–"

    @admin.action(description="Open: freeze the definition and take reports")
    def open_surveys(self, request: HttpRequest, queryset: QuerySet[Survey]) -> None:
        for survey in queryset:
            try:
                survey.open()
            except ValueError as refusal:
                self.message_user(request, f"{survey}: {refusal}", messages.ERROR)
            else:
                self.message_user(request, f"{survey} is open.", messages.SUCCESS)

    @admin.action(description="Close: take no more reports")
    def close_surveys(self, request: HttpRequest, queryset: QuerySet[Survey]) -> None:
        for survey in queryset:
            if survey.close():
                self.message_user(request, f"{survey} is closed.", messages.SUCCESS)
            else:
                self.message_user(request, f"{survey} was not open.", messages.ERROR)
