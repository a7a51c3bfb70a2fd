"""Documents and figures that the code writes (`make docs`, `make picture`)."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
