"""The worker: closes what is due, tallies new reports, moves them into blocks, recomputes estimates.

Work is a row in the database; the broker only makes it prompt and parallel. `celery -A worker worker -B` runs it.
"""
