from django.db import migrations, models

from surveys.models.guards import keep_log


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0003_studio"),
    ]

    operations = [
        migrations.CreateModel(
            name="Served",
            fields=[
                ("number", models.PositiveIntegerField(help_text="1, 2, ...", primary_key=True, serialize=False)),
                ("day", models.DateField()),
                ("manifest", models.CharField(help_text="SHA-384 of the manifest, in hexadecimal.", max_length=96)),
                ("slug_hash", models.CharField(blank=True, help_text="SHA-256 of a survey's slug.", max_length=64)),
                ("digest", models.CharField(blank=True, help_text="SHA-256 of its definition.", max_length=64)),
                (
                    "previous",
                    models.CharField(help_text="The hash of the entry before; zeros for the first.", max_length=64),
                ),
                (
                    "hash",
                    models.CharField(
                        help_text="SHA-256 of the other fields in canonical JSON.", max_length=64, unique=True
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.RunPython(keep_log, migrations.RunPython.noop),
    ]
