"""People answer by invitation, among kills, retries, second devices, forged and replayed signatures: does each leave
one report, and can a thief of everything say whose report is whose?

    python -m benchmarks.joining [--people 2000] [--kills 20] [--pair embedded]

The thief has every file, table and key of the running system and is even told the order in which the reports came; he
looks for an order of the invitations' uses that agrees with it better than chance lets it. Half of the people are
invited by mail, their addresses kept, and answer in the order in which the letters came. The thief has backups too:
copies of the book, no two of which may differ by fewer uses than a batch. Ends with status 0 only if each person has
one report, none is lost, none is doubled, and the attack is at chance. Needs requirements-dev.txt.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import benchmarks.site  # noqa: F401
from tests.services.deployed import DeployedSystem
from tests.services.mail import MailServer
from tests.services.postgres import Postgres
from tests.services.system import EmbeddedSystem, System
from tests.support import linkage
from tests.support.thief import loot

BATCH = 100
COPIES = 30


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--people", type=int, default=2000, help="who are invited (default: 2000)")
    options.add_argument("--kills", type=int, default=20, help="of the intake, while they answer (default: 20)")
    options.add_argument("--pair", choices=["embedded", "deployed"], default="embedded")
    chosen = options.parse_args()
    postgres = None if chosen.pair == "embedded" else Postgres()
    server = MailServer()
    settings = {"CLIENT_REPORTS_PER_MINUTE": "0", "BATCH": str(BATCH), **server.settings()}
    system: System = EmbeddedSystem(**settings) if postgres is None else DeployedSystem(postgres, **settings)
    try:
        troubles = _run(system, server, chosen.people, chosen.kills, postgres)
    finally:
        system.stop()
        server.stop()
        if postgres is not None:
            postgres.stop()
    for line in troubles:
        print(f"  {line[:200]}")
    sys.exit(1 if troubles else 0)


def _run(system: System, server: MailServer, people: int, kills: int, postgres: Postgres | None) -> list[str]:
    with tempfile.TemporaryDirectory() as drafts:
        site = linkage.Site.open(system, Path(drafts))
    written = site.write(server, people // 2, kills // 5)
    again = len(server.letters) - len(written)
    print(f"{len(written)} letters, {kills // 5} kills of their sender: all came, {again} of them twice.")
    story = linkage.live(site, [*written, *site.invite(people - len(written))], kills, copies=COPIES)
    story.addresses += {address for address, _ in server.letters}
    stored, acknowledged = linkage.stored(system), {each.replace("-", "") for each in story.reports}
    lost, doubled = len(acknowledged - set(stored)), len(stored) - len(set(stored))
    print(f"{people} people invited, {story.kills} kills, {story.cheats} forged or replayed signatures:")
    print(f"{len(acknowledged)} reports acknowledged, {len(stored)} stored, {lost} lost, {doubled} doubled.")
    book, pieces = linkage.book_of(system), loot(system, postgres)
    joins = linkage.joined(story.uses, linkage.rankings(book)) + linkage.joined_by_letters(story.uses, book)
    places = linkage.told(pieces, story)
    print(
        f"{len(pieces)} files, keys and tables stolen: {len(places)} places tell of an invitation, a use or a person."
    )
    print(f"Orders of the uses that agree with that of the reports better than chance: {len(joins) or 'none'}.")
    thin, sizes = linkage.thin(story.copies, BATCH), sorted({len(each) for each in story.copies})
    print(f"{len(story.copies)} copies of the book while they answered, with so many uses: {sizes}.")
    right = [] if len(stored) == len(acknowledged) == people and not lost else ["not one report for each person"]
    return [*story.wrong, *right, *joins, *places, *thin]


if __name__ == "__main__":
    main()
