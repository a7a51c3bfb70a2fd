from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0002_guards")]

    operations = [
        migrations.CreateModel(
            name="KeyMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("mark", models.BinaryField()),
            ],
        ),
    ]
