"""The chance that someone who knows every report but one sees that one in a survey's turnout.

    python -m benchmarks.turnout [--tries 20000]

The observer reads the count each hour and sends additional reports. An open link takes any number of them; by
invitation each needs an invitation, and a day.
"""

import argparse

import benchmarks.site  # noqa: F401
from surveys.models.turnout import STEP
from tests.support import turnout

RULES = {"at each full ten": 1, "at a place drawn by lot": STEP}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--tries", type=int, default=20_000)
    tries = options.parse_args().tries
    for rule, places in RULES.items():
        for most in (0, 9, 18, 50, 100, 199):
            share, sent = turnout.noticed(places, most, tries)
            print(f"steps {rule}, at most {most} reports of their own ({sent:.0f} sent): seen in {100 * share:.0f}%")


if __name__ == "__main__":
    main()
