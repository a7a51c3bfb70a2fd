"""The site's settings with the peers' URLs."""

from surveys.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.intake_peers"
