from django.db import migrations

from surveys.guards import freeze_opened_surveys, hide_arrival_order


class Migration(migrations.Migration):
    dependencies = [("surveys", "0001_initial")]

    operations = [
        migrations.RunPython(hide_arrival_order, migrations.RunPython.noop),
        migrations.RunPython(freeze_opened_surveys, migrations.RunPython.noop),
    ]
