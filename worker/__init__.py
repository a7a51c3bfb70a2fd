"""The Celery side: closes what is due, tallies new reports, recomputes estimates.

Work is a row in the database; the broker only makes it prompt and parallel. `celery -A worker worker -B` runs it.
"""

from worker.app import app

__all__ = ["app"]
