"""Whether the randomized reports are published, and what the log says of them."""

from django.db import migrations, models

from surveys.models.guards import FROZEN, freeze_opened_surveys, thaw_surveys

ACTIONS = (
    "created", "imported", "edited", "opened", "closed", "published", "unpublished", "microdata published",
    "microdata taken back", "microdata asked for", "microdata taken", "archived", "unarchived", "deleted", "invited",
    "revoked", "joined", "role given", "removed",
)  # fmt: skip
NAMES = {"microdata taken back": "Microdata Unpublished", "microdata asked for": "Microdata Asked"}


class Migration(migrations.Migration):
    dependencies = [("surveys", "0006_crossings")]

    operations = [
        migrations.RunPython(thaw_surveys, migrations.RunPython.noop),
        migrations.AddField(
            model_name="survey",
            name="microdata_public",
            field=models.BooleanField(default=False, help_text="Anyone with the link may take the randomized reports."),
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="action",
            field=models.CharField(
                choices=[(action, NAMES.get(action, action.title())) for action in ACTIONS], max_length=20
            ),
        ),
        migrations.RunPython(freeze_opened_surveys(FROZEN), migrations.RunPython.noop),
    ]
