"""The worker: closes due surveys, tallies new reports, moves them into blocks, recomputes estimates.

Work is a row in the database. The broker only makes it prompt and parallel. `celery -A worker worker` and one `celery
-A worker beat` run it. This file imports nothing: the web server lists the package for its commands, and must not load
Celery.
"""
