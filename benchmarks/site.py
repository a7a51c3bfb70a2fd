"""Django as the site has it, set up on import. Import this before all else of the site."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
django.setup()
