"""Reports, blocks and totals of forms: a survey without forms has one."""

from typing import Any

from django.db import migrations, models

from surveys.models.guards import (
    RELEASED,
    RELEASED_AT_FIRST,
    UNQUOTED_OF_FORMS,
    keep_releases,
    loose_releases,
    quote_nothing,
)

FORM = "ALTER TABLE surveys_{} ADD COLUMN form smallint NOT NULL DEFAULT 0 CHECK (form >= 0)"


def _of_one_form(apps: Any, schema_editor: Any) -> None:
    for tally in apps.get_model("surveys", "Tally").objects.iterator():
        tally.tallies = [{"n": tally.n, "totals": tally.totals}]
        tally.held = [{"n": tally.held_n, "totals": tally.held_totals}]
        tally.save()
    for release in apps.get_model("surveys", "Release").objects.defer("document").iterator(chunk_size=10):
        release.tallies = [{"n": release.n, "totals": release.totals}]
        release.save(update_fields=["tallies"])


def _of_all(apps: Any, schema_editor: Any) -> None:
    """The way back, which there is not for a survey in forms: the older software would add up what is apart."""
    for tally in apps.get_model("surveys", "Tally").objects.exclude(tallies=[]).iterator():
        if len(tally.tallies) > 1:
            raise RuntimeError("a survey is in forms, of which the older software knows nothing")
        tally.n, tally.totals = tally.tallies[0]["n"], tally.tallies[0]["totals"]
        tally.held_n, tally.held_totals = tally.held[0]["n"], tally.held[0]["totals"]
        tally.save()
    for release in apps.get_model("surveys", "Release").objects.defer("document").iterator(chunk_size=10):
        release.totals = release.tallies[0]["totals"]
        release.save(update_fields=["totals"])


def _form_of(model: str, help_text: str) -> migrations.RunSQL:
    """Added without writing the table anew: on SQLite that of reports has no row numbers (models/guards.py)."""
    field = models.PositiveSmallIntegerField(db_default=0, help_text=help_text)
    return migrations.RunSQL(
        FORM.format(model),
        f"ALTER TABLE surveys_{model} DROP COLUMN form",
        [migrations.AddField(model_name=model, name="form", field=field)],
    )


class Migration(migrations.Migration):
    dependencies = [("surveys", "0011_too_few")]

    operations = [
        _form_of("report", "The form that it is of, from 0 on."),
        _form_of("block", "From 0 on."),
        migrations.RunPython(loose_releases, keep_releases(RELEASED_AT_FIRST)),
        migrations.AddField("tally", "tallies", models.JSONField(default=list)),
        migrations.AddField("tally", "held", models.JSONField(default=list)),
        migrations.AddField(
            "release",
            "tallies",
            models.JSONField(default=list, help_text="As the tally's: n and totals of each form."),
            preserve_default=False,
        ),
        migrations.RunPython(_of_one_form, _of_all),
        migrations.AlterField("release", "totals", models.JSONField(default=dict)),
        *(migrations.RemoveField("tally", name) for name in ("n", "totals", "held_n", "held_totals")),
        migrations.RemoveField("release", "totals"),
        migrations.AlterField("release", "n", models.PositiveBigIntegerField(help_text="Of all forms together.")),
        migrations.AlterField(
            "release",
            "digest",
            models.CharField(help_text="SHA-256 of the tallies in canonical JSON.", max_length=64),
        ),
        migrations.RunPython(keep_releases(RELEASED), loose_releases),
        migrations.RunPython(quote_nothing(UNQUOTED_OF_FORMS), migrations.RunPython.noop),
    ]
