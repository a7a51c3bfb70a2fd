import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from surveys.models.guards import FROZEN, append_only, freeze_opened_surveys, thaw_surveys


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0002_guards"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(thaw_surveys, migrations.RunPython.noop),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("username", models.CharField(max_length=150)),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("created", "Created"),
                            ("imported", "Imported"),
                            ("edited", "Edited"),
                            ("opened", "Opened"),
                            ("closed", "Closed"),
                            ("published", "Published"),
                            ("unpublished", "Unpublished"),
                            ("archived", "Archived"),
                            ("unarchived", "Unarchived"),
                            ("deleted", "Deleted"),
                            ("invited", "Invited"),
                            ("revoked", "Revoked"),
                            ("joined", "Joined"),
                            ("role given", "Role Given"),
                            ("removed", "Removed"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "survey_number",
                    models.BigIntegerField(db_index=True, help_text="The survey's primary key.", null=True),
                ),
                ("survey_title", models.CharField(blank=True, max_length=200)),
                ("detail", models.CharField(blank=True, max_length=500)),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.AddField(
            model_name="survey",
            name="archived_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="survey",
            name="closes_at_half_width",
            field=models.FloatField(
                blank=True,
                help_text="Closes by itself when every interval that holds at every release is at most so wide to each side, as a share; frozen at opening.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="survey",
            name="expected_n",
            field=models.PositiveBigIntegerField(
                blank=True, help_text="How many respondents the designer expects.", null=True
            ),
        ),
        migrations.AddField(
            model_name="survey",
            name="opens_at",
            field=models.DateTimeField(
                blank=True, help_text="Opened, it takes reports from this time on (UTC).", null=True
            ),
        ),
        migrations.AddField(
            model_name="survey",
            name="previous",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="later_versions",
                to="surveys.survey",
            ),
        ),
        migrations.AlterField(
            model_name="survey",
            name="draft",
            field=models.JSONField(
                help_text="What the designer edits, complete or not: title, introduction and questions."
            ),
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "Viewer"),
                            ("researcher", "Researcher"),
                            ("designer", "Designer"),
                            ("owner", "Owner"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "token_hash",
                    models.CharField(help_text="SHA-256 of the token, in hexadecimal.", max_length=64, unique=True),
                ),
                ("last_day", models.DateField(help_text="The last day on which it can be followed (UTC).")),
                ("used", models.BooleanField(default=False)),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "Viewer"),
                            ("researcher", "Researcher"),
                            ("designer", "Designer"),
                            ("owner", "Owner"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="surveys.survey"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("survey", "user"), name="one_role_on_a_survey")],
            },
        ),
        migrations.RunPython(freeze_opened_surveys(FROZEN), migrations.RunPython.noop),
        migrations.RunPython(append_only, migrations.RunPython.noop),
    ]
