"""Django as the site has it, set up by its import: before whatever else of the site a benchmark imports."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
django.setup()
