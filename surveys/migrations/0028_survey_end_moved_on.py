from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0027_survey_code"),
    ]

    operations = [
        migrations.AddField(
            model_name="survey",
            name="end_moved_on",
            field=models.DateField(
                editable=False, help_text="When its end was last moved after its first release.", null=True
            ),
        ),
    ]
