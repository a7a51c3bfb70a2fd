from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0026_webhook_made_by"),
    ]

    operations = [
        migrations.AddField(
            model_name="survey",
            name="code",
            field=models.CharField(
                editable=False, help_text="Short enough to be typed by who has no link.", max_length=8, null=True
            ),
        ),
        migrations.AddConstraint(
            model_name="survey",
            constraint=models.UniqueConstraint(
                condition=models.Q(("code__isnull", False)), fields=("code",), name="survey_code"
            ),
        ),
    ]
