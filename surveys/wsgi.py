"""The pages as a WSGI application. Reports have a program of their own before it: surveys/rsgi.py."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

application = get_wsgi_application()

from surveys.operation import statements  # noqa: E402

statements.limit()
