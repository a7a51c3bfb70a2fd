"""The migrations form one line, and its end agrees with the models."""

from django.apps import apps
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState


def test_no_two_migrations_follow_the_same_one():
    assert len(MigrationLoader(None).graph.leaf_nodes("surveys")) == 1


def test_no_change_of_a_model_lacks_its_migration():
    loader = MigrationLoader(None)
    changes = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps)).changes(loader.graph)
    assert "surveys" not in changes
