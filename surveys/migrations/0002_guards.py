from django.db import migrations

from surveys.models.guards import (
    FROZEN_AT_FIRST,
    RELEASED_AT_FIRST,
    UNQUOTED_AT_FIRST,
    freeze_opened_surveys,
    hide_arrival_order,
    keep_releases,
    quote_nothing,
    vacuum_no_reports,
)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0001_journey")]

    operations = [
        migrations.RunPython(hide_arrival_order, migrations.RunPython.noop),
        migrations.RunPython(quote_nothing(UNQUOTED_AT_FIRST), migrations.RunPython.noop),
        migrations.RunPython(vacuum_no_reports, migrations.RunPython.noop),
        migrations.RunPython(freeze_opened_surveys(FROZEN_AT_FIRST), migrations.RunPython.noop),
        migrations.RunPython(keep_releases(RELEASED_AT_FIRST), migrations.RunPython.noop),
    ]
