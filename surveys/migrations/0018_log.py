import hashlib
import json
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from surveys.models.guards import keep_log_entries
from surveys.transparency.log import merkle


def carry_over(apps: Any, schema_editor: Any) -> None:
    """The entries of the chained log, in order, each with what its chain can be computed from again."""
    slugs = apps.get_model("surveys", "Survey").objects.exclude(slug=None).values_list("slug", "pk")
    surveys = {hashlib.sha256(slug.encode()).hexdigest(): pk for slug, pk in slugs}
    entry = apps.get_model("surveys", "LogEntry")
    served = list(apps.get_model("surveys", "Served").objects.order_by("number"))
    contents = [_content(row) for row in served]
    texts = [json.dumps(content, sort_keys=True, separators=(",", ":")) for content in contents]
    leaves = [merkle.leaf_hash(text.encode()) for text in texts]
    known: set[int] = set()
    for number, (row, root) in enumerate(zip(served, merkle.roots(leaves), strict=True)):
        survey = surveys.get(row.slug_hash)
        survey = None if survey in known else survey
        known |= {survey} if survey else set()
        entry.objects.create(
            number=number,
            kind=contents[number]["kind"],
            content=texts[number],
            leaf=leaves[number].hex(),
            root=root.hex(),
            survey=survey,
            release=survey and 0,
        )


def _content(row: Any) -> dict[str, Any]:
    was = {"number": row.number, "hash": row.hash, "previous": row.previous}
    content = {"day": row.day.isoformat(), "manifest": row.manifest, "was": was}
    if not row.slug_hash:
        return {"kind": "software", **content}
    return {"kind": "survey", "link": row.slug_hash, "definition": row.digest, **content}


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0017_reasons"),
    ]

    operations = [
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
                (
                    "release",
                    models.PositiveIntegerField(help_text="And of its release; 0 for its opening.", null=True),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.AddConstraint(
            model_name="logentry",
            constraint=models.UniqueConstraint(fields=("survey", "release"), name="logged_once"),
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
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.RunPython(keep_log_entries, migrations.RunPython.noop),
        # The chained log is read no more. Its table stays for one version: the one before goes on writing while it is
        # being replaced, and what it opens then is entered by the worker's sweep.
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="Served")]),
    ]
