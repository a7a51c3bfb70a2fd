import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from surveys.models.guards import guard


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
                            ("microdata published", "Microdata Published"),
                            ("microdata taken back", "Microdata Unpublished"),
                            ("microdata asked for", "Microdata Asked"),
                            ("microdata taken", "Microdata Taken"),
                            ("archived", "Archived"),
                            ("unarchived", "Unarchived"),
                            ("deleted", "Deleted"),
                            ("invited", "Invited"),
                            ("revoked", "Revoked"),
                            ("joined", "Joined"),
                            ("role given", "Role Given"),
                            ("removed", "Removed"),
                            ("made a token", "Token Made"),
                            ("revoked a token", "Token Revoked"),
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
        migrations.CreateModel(
            name="Block",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "stage",
                    models.CharField(
                        choices=[
                            ("held", "held back for a later release"),
                            ("ready", "for the next release"),
                            ("released", "Released"),
                        ],
                        max_length=8,
                    ),
                ),
                ("n", models.PositiveIntegerField()),
                ("columns", models.BinaryField()),
                ("form", models.PositiveSmallIntegerField(db_default=0, help_text="From 0 on.")),
            ],
        ),
        migrations.CreateModel(
            name="Release",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(help_text="1, 2, ... of the survey.")),
                ("day", models.DateField()),
                ("final", models.BooleanField(help_text="The survey had ended and every report was taken.")),
                ("n", models.PositiveBigIntegerField(help_text="Of all forms together.")),
                ("tallies", models.JSONField(help_text="As the tally's: n and totals of each form.")),
                ("digest", models.CharField(help_text="SHA-256 of the tallies in canonical JSON.", max_length=64)),
                (
                    "document",
                    models.JSONField(help_text="The estimates; null until a worker has computed them.", null=True),
                ),
                ("attempts", models.PositiveIntegerField(default=0, help_text="Tries to compute the estimates.")),
            ],
        ),
        migrations.CreateModel(
            name="Cosignature",
            fields=[
                (
                    "witness",
                    models.CharField(help_text="Its verifier key.", max_length=200, primary_key=True, serialize=False),
                ),
                ("size", models.PositiveIntegerField()),
                ("line", models.TextField(help_text="As it stands below the checkpoint.")),
            ],
        ),
        migrations.CreateModel(
            name="Commitment",
            fields=[
                (
                    "release",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="surveys.release",
                    ),
                ),
                ("nonce", models.CharField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="Export",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[("asked", "Asked"), ("working", "Working"), ("ready", "Ready"), ("failed", "Failed")],
                        default="asked",
                        max_length=7,
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("worked_at", models.DateTimeField(help_text="When it was asked for, or last worked on.")),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("superseded", "a newer release came before the files were made"),
                            ("differs", "the stored reports do not add up to the release"),
                            ("too large", "there are too many numbers for files"),
                            ("revoked", "whoever asked for it may no longer have it"),
                            ("tried", "making the files failed several times"),
                        ],
                        help_text="Why it failed.",
                        max_length=10,
                    ),
                ),
                (
                    "kept",
                    models.BooleanField(default=False, help_text="The files stay when those of newer releases come."),
                ),
                ("written", models.PositiveBigIntegerField(default=0, help_text="Reports written so far.")),
                (
                    "asked_by",
                    models.ForeignKey(
                        help_text="Nobody where the site itself had it made.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("release", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, to="surveys.release")),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ExportFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40)),
                ("packed", models.BooleanField()),
                ("size", models.PositiveBigIntegerField(default=0, help_text="Bytes of the file itself.")),
                ("stored", models.PositiveBigIntegerField(default=0, help_text="Bytes of its parts.")),
                (
                    "sha256",
                    models.CharField(
                        blank=True, help_text="Of the file itself; empty until it is complete.", max_length=64
                    ),
                ),
                (
                    "export",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="files", to="surveys.export"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ExportPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="surveys.exportfile"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key_hash", models.CharField(help_text="SHA-256 of the key, in hexadecimal.", max_length=64)),
                (
                    "request_hash",
                    models.CharField(help_text="HMAC-SHA-256 of address and body by the key.", max_length=64),
                ),
                ("status", models.PositiveSmallIntegerField(default=0, help_text="Of the answer.")),
                ("document", models.JSONField(help_text="The answer; null where it is told once.", null=True)),
                ("day", models.DateField(help_text="On which it came (UTC); it is forgotten some days later.")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                ("number", models.PositiveIntegerField(help_text="0, 1, 2, ...", primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=8)),
                (
                    "content",
                    models.TextField(help_text="The leaf: canonical JSON (surveys/transparency/log/entries.py)."),
                ),
                ("leaf", models.CharField(help_text="Its hash (RFC 6962), in hexadecimal.", max_length=64)),
                ("root", models.CharField(help_text="That of the tree up to here.", max_length=64)),
                (
                    "survey",
                    models.BigIntegerField(help_text="The number of the survey that it is about, if any.", null=True),
                ),
                ("release", models.PositiveIntegerField(help_text="And of its release; 0 for its opening.", null=True)),
            ],
            options={
                "ordering": ["number"],
                "constraints": [models.UniqueConstraint(fields=("survey", "release"), name="logged_once")],
            },
        ),
        migrations.CreateModel(
            name="Recount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("dispatched_at", models.DateTimeField()),
                ("release", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="surveys.release")),
            ],
        ),
        migrations.CreateModel(
            name="RecountPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("totals", models.JSONField(null=True)),
                ("block", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="surveys.block")),
                (
                    "recount",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="surveys.recount"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Survey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=200)),
                (
                    "draft",
                    models.JSONField(
                        help_text="What the designer edits, complete or not: title, introduction and questions."
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("draft", "Draft"), ("open", "Open"), ("closed", "Closed")],
                        default="draft",
                        editable=False,
                        max_length=6,
                    ),
                ),
                ("slug", models.CharField(editable=False, max_length=32, null=True, unique=True)),
                (
                    "code",
                    models.CharField(
                        editable=False,
                        help_text="Short enough to be typed by who has no link.",
                        max_length=8,
                        null=True,
                    ),
                ),
                (
                    "canonical",
                    models.TextField(default="", editable=False, help_text="Canonical JSON, frozen at opening."),
                ),
                ("digest", models.CharField(default="", editable=False, max_length=64)),
                (
                    "results_public",
                    models.BooleanField(default=False, help_text="Anyone with the link may see the results."),
                ),
                (
                    "microdata_public",
                    models.BooleanField(
                        default=False, help_text="Anyone with the link may take the randomized reports."
                    ),
                ),
                (
                    "keeps_files",
                    models.BooleanField(
                        default=False,
                        help_text="The files of each release's randomized reports are made with it, and stay.",
                    ),
                ),
                ("opened_at", models.DateTimeField(editable=False, null=True)),
                (
                    "closes_after",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="Closes by itself at this number of reports; frozen at opening.",
                        null=True,
                    ),
                ),
                (
                    "stored",
                    models.PositiveBigIntegerField(
                        default=0, editable=False, help_text="Reports stored, where closes_after is set."
                    ),
                ),
                (
                    "batch",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="Reports are taken and released in batches of at least so many; frozen at opening. The site's own number is the least.",
                        null=True,
                    ),
                ),
                (
                    "closes_at",
                    models.DateTimeField(blank=True, help_text="Closes by itself at this time (UTC).", null=True),
                ),
                ("closed_at", models.DateTimeField(editable=False, null=True)),
                (
                    "end_moved_on",
                    models.DateField(
                        editable=False, help_text="When its end was last moved after its first release.", null=True
                    ),
                ),
                (
                    "opens_at",
                    models.DateTimeField(
                        blank=True, help_text="Opened, it takes reports from this time on (UTC).", null=True
                    ),
                ),
                (
                    "closes_at_half_width",
                    models.FloatField(
                        blank=True,
                        help_text="Closes by itself when every interval that holds at every release is at most so wide to each side, as a share; frozen at opening.",
                        null=True,
                    ),
                ),
                (
                    "expected_n",
                    models.PositiveBigIntegerField(
                        blank=True, help_text="How many respondents the designer expects.", null=True
                    ),
                ),
                ("archived_at", models.DateTimeField(editable=False, null=True)),
                (
                    "previous",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="later_versions",
                        to="surveys.survey",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("said", models.TextField(blank=True, help_text="What was done, in the language of whoever did it.")),
                (
                    "visit",
                    models.CharField(blank=True, help_text="Changes of one visit to a page are one.", max_length=32),
                ),
                ("at", models.DateTimeField(help_text="When it was done.")),
                ("content", models.JSONField(help_text="The draft.")),
                (
                    "user",
                    models.ForeignKey(
                        help_text="Who made the change; nobody of the first one, which no change led to.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="snapshots", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Revision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("said", models.TextField(help_text="What was done, in the language of whoever did it.")),
                ("cells", models.JSONField(help_text="Paths with their values before and after (drafts/cells.py).")),
                (
                    "visit",
                    models.CharField(blank=True, help_text="Changes of one visit to a page are one.", max_length=32),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="revisions", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "survey_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(editable=False)),
                ("packed", models.BinaryField()),
                (
                    "form",
                    models.PositiveSmallIntegerField(db_default=0, help_text="The form that it is of, from 0 on."),
                ),
                (
                    "survey",
                    models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to="surveys.survey"),
                ),
            ],
        ),
        migrations.AddField(
            model_name="release",
            name="survey",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="surveys.survey"),
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
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="surveys.survey"
                    ),
                ),
            ],
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
                    "made_by",
                    models.ForeignKey(
                        help_text="The owner who made it. It leads nowhere where that is not known, or they are no owner any more.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ImportNotes",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "remarks",
                    models.JSONField(help_text="Sentences with the names they are about (xlsform/remarks.py)."),
                ),
                (
                    "decisions",
                    models.JSONField(help_text="Questions that could be of another kind (xlsform/questions.py)."),
                ),
                (
                    "survey",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="import_notes", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Disclosure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sponsor", models.TextField(blank=True, help_text="Who pays for it.")),
                ("conductor", models.TextField(blank=True, help_text="Who carries it out and is responsible for it.")),
                ("contact", models.TextField(blank=True, help_text="Whom respondents can ask, about their data too.")),
                ("population", models.TextField(blank=True, help_text="About whom it shall say something.")),
                (
                    "recruitment",
                    models.TextField(blank=True, help_text="How people were chosen and asked to take part."),
                ),
                ("dates", models.TextField(blank=True, help_text="When people were asked.")),
                ("limitations", models.TextField(blank=True, help_text="What the results cannot tell.")),
                (
                    "licence",
                    models.TextField(
                        blank=True, help_text="Under which terms others may use the data; an address or a name."
                    ),
                ),
                (
                    "survey",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="disclosure", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "question",
                    models.CharField(blank=True, help_text="Its key; empty of the whole survey.", max_length=40),
                ),
                ("text", models.TextField()),
                ("at", models.DateTimeField(help_text="When it was written.")),
                ("done", models.BooleanField(default=False)),
                (
                    "user",
                    models.ForeignKey(
                        help_text="Nobody once the account is deleted.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="block",
            name="survey",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="surveys.survey"),
        ),
        migrations.CreateModel(
            name="AlertReader",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "language",
                    models.CharField(help_text="Of the mails: the one in which they were asked for.", max_length=10),
                ),
                ("address", models.EmailField(max_length=254)),
                (
                    "confirmed",
                    models.BooleanField(default=False, help_text="Until it is, nothing but a question goes there."),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="alert_readers", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Alert",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("survey.opened", "Opened"),
                            ("survey.first_release", "First Release"),
                            ("survey.precision_reached", "Precision"),
                            ("survey.ended", "Ended"),
                            ("survey.trouble", "Trouble"),
                        ],
                        max_length=30,
                    ),
                ),
                ("about", models.CharField(blank=True, help_text="Which of several of its kind.", max_length=40)),
                (
                    "day",
                    models.DateField(
                        help_text="On which it was noticed (UTC): a report may have ended the survey or its batch."
                    ),
                ),
                ("data", models.JSONField(help_text="What a receiver is told beside the survey.")),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="alerts", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReportId",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "survey_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("id", models.UUIDField(editable=False)),
                (
                    "survey",
                    models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to="surveys.survey"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("tallies", models.JSONField(default=list)),
                ("held", models.JSONField(default=list)),
                (
                    "fewer_than",
                    models.PositiveIntegerField(
                        help_text="The survey ended with fewer reports than this. They were erased, and nothing is published.",
                        null=True,
                    ),
                ),
                (
                    "attempts",
                    models.PositiveIntegerField(default=0, help_text="Tries to take since the last that succeeded."),
                ),
                (
                    "traces",
                    models.BooleanField(
                        default=False,
                        help_text="The database's files may still tell in which order the last batches came.",
                    ),
                ),
                ("survey", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, to="surveys.survey")),
            ],
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(help_text="What its owner calls it.", max_length=80)),
                ("prefix", models.CharField(help_text="How it begins, to recognize it by.", max_length=12)),
                (
                    "token_hash",
                    models.CharField(help_text="SHA-256 of the token, in hexadecimal.", max_length=64, unique=True),
                ),
                ("scopes", models.CharField(help_text="Words with spaces between them.", max_length=100)),
                ("created", models.DateField()),
                ("last_day", models.DateField(help_text="The last day on which it works (UTC).")),
                ("last_used", models.DateField(help_text="The last day on which it was used (UTC).", null=True)),
                ("revoked", models.BooleanField(default=False)),
                (
                    "survey",
                    models.ForeignKey(
                        blank=True,
                        help_text="The only one it is for.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to="surveys.survey",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="TryoutReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "body",
                    models.TextField(help_text="As it was sent; its digest is marked, so that no survey takes it."),
                ),
                ("definition", models.TextField(help_text="Canonical JSON of what was asked.")),
                ("at", models.DateTimeField(help_text="The minute in which it came.")),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tryout_reports", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("url", models.CharField(max_length=400)),
                ("salt", models.CharField(help_text="The site's key makes the webhook's secret of it.", max_length=43)),
                ("day", models.DateField(help_text="On which it was made (UTC).")),
                (
                    "gone",
                    models.BooleanField(
                        default=False, help_text="Its receiver said that it wants nothing any more (410)."
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        help_text="The designer who made it. It ends where that is not known, or they are no designer any more.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="webhooks", to="surveys.survey"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(
                        help_text="Random; the receiver knows repetitions by it.", max_length=40, unique=True
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("sent", "Sent"), ("failed", "Failed")],
                        default="waiting",
                        max_length=7,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(help_text="The next try; null once there is none.", null=True)),
                ("day", models.DateField(help_text="Of the last try, or on which it was entered (UTC).")),
                (
                    "status",
                    models.PositiveSmallIntegerField(help_text="What a webhook answered to the last try.", null=True),
                ),
                (
                    "alert",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="surveys.alert"
                    ),
                ),
                (
                    "reader",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="surveys.alertreader",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="surveys.webhook",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Workbook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[("asked", "Asked"), ("working", "Working"), ("ready", "Ready"), ("failed", "Failed")],
                        default="asked",
                        max_length=7,
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("worked_at", models.DateTimeField(help_text="When it was asked for, or last worked on.")),
                ("language", models.CharField(max_length=10)),
                ("waves", models.JSONField(help_text="Slug and release of each wave that whoever asked may see.")),
                (
                    "digest",
                    models.CharField(
                        help_text="SHA-256 of what it depends on (surveys/researcher/workbook/requests.py).",
                        max_length=64,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[("tried", "making it failed several times")],
                        help_text="Why it failed.",
                        max_length=10,
                    ),
                ),
                (
                    "written",
                    models.PositiveIntegerField(
                        default=0, help_text="Steps done so far (surveys/researcher/workbook/tables.py)."
                    ),
                ),
                ("content", models.BinaryField(help_text="The file; null until it is ready.", null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        help_text="Nobody where the site itself had it made.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("release", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="surveys.release")),
            ],
        ),
        migrations.CreateModel(
            name="AnalysisRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[("asked", "Asked"), ("working", "Working"), ("ready", "Ready"), ("failed", "Failed")],
                        default="asked",
                        max_length=7,
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("worked_at", models.DateTimeField(help_text="When it was asked for, or last worked on.")),
                (
                    "kind",
                    models.CharField(
                        help_text="The name of the analysis (surveys/researcher/analyses/registry.py).", max_length=20
                    ),
                ),
                ("specification", models.JSONField(help_text="What is computed, by the keys of its variables.")),
                ("digest", models.CharField(help_text="SHA-256 of the specification's canonical JSON.", max_length=64)),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("superseded", "a newer release came before the reports were counted"),
                            ("differs", "the stored reports do not add up to the release"),
                            ("nobody", "no report is about all of these questions"),
                            ("revoked", "whoever asked for it may no longer have it"),
                            ("tried", "counting the reports failed several times"),
                        ],
                        help_text="Why it failed.",
                        max_length=10,
                    ),
                ),
                ("counted", models.PositiveBigIntegerField(default=0, help_text="Reports counted so far.")),
                ("document", models.JSONField(help_text="Counts and estimates; null until it is ready.", null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        help_text="Nobody where the site itself had it made.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("release", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="surveys.release")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("release", "kind", "digest"), name="analysis_once")],
            },
        ),
        migrations.AddConstraint(
            model_name="exportfile",
            constraint=models.UniqueConstraint(fields=("export", "name"), name="export_file_once"),
        ),
        migrations.AddConstraint(
            model_name="exportpart",
            constraint=models.UniqueConstraint(fields=("file", "number"), name="export_part_once"),
        ),
        migrations.AddConstraint(
            model_name="idempotencykey",
            constraint=models.UniqueConstraint(fields=("user", "key_hash"), name="idempotency_key_once"),
        ),
        migrations.AddConstraint(
            model_name="recountpart",
            constraint=models.UniqueConstraint(fields=("recount", "block"), name="recount_block_once"),
        ),
        migrations.AddIndex(
            model_name="survey",
            index=models.Index(fields=["state", "closes_at"], name="survey_due"),
        ),
        migrations.AddConstraint(
            model_name="survey",
            constraint=models.UniqueConstraint(
                condition=models.Q(("code__isnull", False)), fields=("code",), name="survey_code"
            ),
        ),
        migrations.AddConstraint(
            model_name="release",
            constraint=models.UniqueConstraint(fields=("survey", "number"), name="release_number_once"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(fields=("survey", "user"), name="one_role_on_a_survey"),
        ),
        migrations.AddConstraint(
            model_name="alertreader",
            constraint=models.UniqueConstraint(fields=("survey", "user"), name="alert_reader_once"),
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.UniqueConstraint(fields=("survey", "kind", "about"), name="alert_once"),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(fields=["state", "due_at"], name="delivery_due"),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("reader__isnull", True), ("webhook__isnull", False)),
                    models.Q(("reader__isnull", False), ("webhook__isnull", True)),
                    _connector="OR",
                ),
                name="delivery_to_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="workbook",
            constraint=models.UniqueConstraint(fields=("release", "digest"), name="workbook_once"),
        ),
        migrations.RunPython(guard, migrations.RunPython.noop),
    ]
