"""PostgreSQL's plan for a batch from a table without statistics, as after many first reports in a minute."""

import uuid

import pytest
from django.db import connection

from surveys.models import Report
from tests.support.factories import opened_survey
from worker import batches

pytestmark = pytest.mark.django_db

N = 2000


def nodes(plan):
    yield plan
    for below in plan.get("Plans", []):
        yield from nodes(below)


def explained(statements):
    """Return a wrapper that appends the plan of each executed statement, with the actual rows of its nodes."""

    def wrapper(execute, sql, parameters, many, context):
        raw = context["cursor"].cursor
        raw.execute("SAVEPOINT before")
        raw.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", parameters)
        [(plan,)] = raw.fetchall()
        statements.append(plan[0]["Plan"])
        raw.execute("ROLLBACK TO before")
        return execute(sql, parameters, many, context)

    return wrapper


def test_no_row_of_a_batch_is_compared_with_every_other_where_the_table_has_no_statistics():
    survey, statements = opened_survey(), []
    Report.objects.bulk_create(Report(id=uuid.uuid4(), survey=survey, packed=b"") for _ in range(N))
    with connection.execute_wrapper(explained(statements)):
        assert len(batches._claim(survey, 0)) == N
    compared = [node.get("Rows Removed by Join Filter", 0) for plan in statements for node in nodes(plan)]
    assert compared and sum(compared) <= N
