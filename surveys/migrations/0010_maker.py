"""Who made an invitation, and who asked for files or a cross-table: what they keep goes with their role."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def name_makers(apps: Any, schema_editor: Any) -> None:
    """Who made an open invitation, and who asked for files, as the log has it; an invitation of which it does not say
    so for certain is revoked, since nobody could take it back with its maker's role."""
    Invitation, Export = apps.get_model("surveys", "Invitation"), apps.get_model("surveys", "Export")
    for invitation in Invitation.objects.filter(used=False, made_by=None):
        makers = _users(apps, "invited", invitation.survey_id, f"{invitation.role}, {invitation.last_day}")
        invitation.made_by, invitation.used = (makers[0], False) if len(makers) == 1 and makers[0] else (None, True)
        invitation.save()
    for export in Export.objects.filter(asked_by=None).select_related("release"):
        askers = _users(apps, "microdata asked for", export.release.survey_id, f"release {export.release.number}")
        export.asked_by = askers[0] if askers else None
        export.save()


def _users(apps: Any, action: str, survey: int, detail: str) -> list[Any]:
    """The accounts that did this, the latest first; [None] for one that is gone or has another name now."""
    entries = apps.get_model("surveys", "AuditEntry").objects.filter(action=action, survey_number=survey, detail=detail)
    names = list(dict.fromkeys(entries.order_by("-pk").values_list("username", flat=True)))
    User = apps.get_model("auth", "User")
    return [User.objects.filter(username=name).first() for name in names]


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0009_drafts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="crossing",
            name="asked_by",
            field=models.ForeignKey(
                help_text="Nobody where the site itself had it made.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="export",
            name="asked_by",
            field=models.ForeignKey(
                help_text="Nobody where the site itself had it made.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="made_by",
            field=models.ForeignKey(
                help_text="The owner who made it. It leads nowhere where that is not known, or they are no owner any more.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="invitations",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="crossing",
            name="reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("superseded", "a newer release came before the reports were counted"),
                    ("differs", "the stored reports do not add up to the release"),
                    ("nobody", "no report is about both"),
                    ("revoked", "whoever asked for it may not have it any more"),
                    ("tried", "counting the reports failed several times"),
                ],
                help_text="Why it failed.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="export",
            name="reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("superseded", "a newer release came before the files were made"),
                    ("differs", "the stored reports do not add up to the release"),
                    ("too large", "there are too many numbers for files"),
                    ("revoked", "whoever asked for it may not have it any more"),
                    ("tried", "making the files failed several times"),
                ],
                help_text="Why it failed.",
                max_length=10,
            ),
        ),
        migrations.RunPython(name_makers, migrations.RunPython.noop),
    ]
