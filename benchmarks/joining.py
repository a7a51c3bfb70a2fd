"""The joining of answers to invitations, among kills, retries, forged signatures and thieves of every file.

    python -m benchmarks.joining [--people 2000] [--kills 20] [--pair embedded] [--groups 0]

People answer by invitation, also with second devices and replayed signatures. Each must leave one report. A thief has
every file, table and key of the running system, and knows the order of the reports. He looks for an order of the
invitations' uses that agrees with it better than by chance. Half of the people are invited by mail, their addresses are
kept, and they answer in the order of the letters. The thief also has backups: copies of the book, no two of which may
differ by fewer uses than a batch. With groups, whose results are published apart, he knows the group of each report and
looks within each. Status 0 only if each person has one report, none is lost or doubled, and the attack is at chance.
Needs requirements-dev.txt.
"""

import argparse
import sys
import tempfile
from itertools import zip_longest
from pathlib import Path

import benchmarks.site  # noqa: F401
from tests.services.deployed import DeployedSystem
from tests.services.mail import MailServer
from tests.services.postgres import Postgres
from tests.services.system import EmbeddedSystem, System
from tests.support import linkage
from tests.support.invitations import INVITED
from tests.support.thief import loot

BATCH = 100
COPIES = 30


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--people", type=int, default=2000, help="who are invited (default: 2000)")
    options.add_argument("--kills", type=int, default=20, help="of the intake, while they answer (default: 20)")
    options.add_argument("--pair", choices=["embedded", "deployed"], default="embedded")
    options.add_argument("--groups", type=int, default=0, help="whose results are published apart (default: 0)")
    chosen = options.parse_args()
    postgres = None if chosen.pair == "embedded" else Postgres()
    server = MailServer()
    settings = {"CLIENT_REPORTS_PER_MINUTE": "0", "BATCH": str(BATCH), **server.settings()}
    system: System = EmbeddedSystem(**settings) if postgres is None else DeployedSystem(postgres, **settings)
    try:
        troubles = _run(system, server, chosen, postgres)
    finally:
        system.stop()
        server.stop()
        if postgres is not None:
            postgres.stop()
    for line in troubles:
        print(f"  {line[:200]}")
    sys.exit(1 if troubles else 0)


def _run(system: System, server: MailServer, chosen: argparse.Namespace, postgres: Postgres | None) -> list[str]:
    people, kills, groups = chosen.people, chosen.kills, [f"group{k}" for k in range(chosen.groups)]
    with tempfile.TemporaryDirectory() as drafts:
        named = {"groups": [{"name": name} for name in groups]} if groups else {}
        site = linkage.Site.open(system, Path(drafts), INVITED | named)
    tokens = _invited(site, server, people, kills // 5, groups or [""])
    again = len(server.letters) - people // 2
    print(f"{people // 2} letters, {kills // 5} kills of their sender: all came, {again} of them twice.")
    story = linkage.live(site, tokens, kills, copies=COPIES)
    story.addresses += {address for address, _ in server.letters}
    stored, acknowledged = linkage.stored(system), {each.replace("-", "") for each in story.reports}
    lost, doubled = len(acknowledged - set(stored)), len(stored) - len(set(stored))
    print(f"{people} people invited, {story.kills} kills, {story.cheats} forged or replayed signatures:")
    print(f"{len(acknowledged)} reports acknowledged, {len(stored)} stored, {lost} lost, {doubled} doubled.")
    book, pieces = linkage.book_of(system), loot(system, postgres)
    joins = [join for own in linkage.by_group(story.uses, book) for join in _joined(own, book)]
    places = linkage.told(pieces, story)
    print(
        f"{len(pieces)} files, keys and tables stolen: {len(places)} places tell of an invitation, a use or a person."
    )
    print(f"Orders of the uses that agree with that of the reports better than chance: {len(joins) or 'none'}.")
    thin, sizes = linkage.thin(story.copies, BATCH), sorted({len(each) for each in story.copies})
    print(f"{len(story.copies)} copies of the book while they answered, with so many uses: {sizes}.")
    right = [] if len(stored) == len(acknowledged) == people and not lost else ["not one report for each person"]
    return [*story.wrong, *right, *joins, *places, *thin]


def _invited(site: linkage.Site, server: MailServer, people: int, kills: int, groups: list[str]) -> list[str]:
    """Return the tokens of all groups in the order of the answers. Groups alternate, and so do letters and cards, since
    SQLite's pages show which invitations were made together (docs/developers/protection.md)."""
    parts = [len(range(k, people, len(groups))) for k in range(len(groups))]
    halves = [len(range(k, people // 2, len(groups))) for k in range(len(groups))]
    ways = [
        tokens
        for k, (group, part, half) in enumerate(zip(groups, parts, halves, strict=True))
        for tokens in (site.write(server, half, 0 if k else kills, group), site.invite(part - half, group))
    ]
    return [token for some in zip_longest(*ways) for token in some if token]


def _joined(uses: list[bytes], book: bytes) -> list[str]:
    return linkage.joined(uses, linkage.rankings(book)) + linkage.joined_by_letters(uses, book)


if __name__ == "__main__":
    main()
