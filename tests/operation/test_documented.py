"""Every command of manage.py in the documents runs as written on a running system."""

import json
import re
import secrets

import pytest

from tests.services.system import ROOT
from tests.support.factories import DRAFT
from tests.support.journeys import published

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")]
# Run in this order, with the placeholders for a site's own values.
WALK = [
    "owner ada",
    "owner NAME",
    "survey draft my-draft.json --publish-results",
    "survey open 1",
    "load SLUG --reports 10000 --threads 16",
    "survey close SLUG",
    "survey close <slug>",
    "survey evidence <slug> my-evidence",
    "recount SLUG",
    "log key",
    "log rotate",
    "lab --n 1000 --alpha 1 --d 2 --shares 30 --delta 1e-6 --svg figures --csv figures",
    "check --database default",
    "migrate",
]
# Commands that are tested elsewhere. They ask at a terminal; need a second factor (tests/accounts); start a system, as
# its fixtures do; are for a public site (test_environment.py), another site (tests/transparency/check), other browsers
# (tests/respondent/page) or surveys by invitation (tests/respondent/intake/test_front.py,
# tests/respondent/invitations/test_restoration.py); change the site's key (tests/accounts/test_key_rotation.py) or
# database (tests/deployment/test_operations.py).
ELSEWHERE = {
    *("changepassword NAME", "forget_factor NAME", "serve", "check --deploy"),
    *("witness https://other.example/", "integrity DIRECTORY", "survey invite <slug> --count 60"),
    *("survey restored SLUG", "copy_invitations FILE", "renew_factors", "copy_database"),
    "copy_invitations /var/lib/deniable/book",
}


def documented():
    text = "\n".join(file.read_text(encoding="utf-8") for file in DOCUMENTS)
    return {command.strip() for command in re.findall(r"(?:manage\.py|deniable(?= load)) ([a-z][^`#|)\n]*)", text)}


def test_every_command_of_python_names_the_python_that_has_the_packages():
    folder = ROOT / "benchmarks"
    for file in [*DOCUMENTS, folder / "README.md", *(folder / "results").glob("*.md")]:
        text = re.sub(r"docker compose exec (-T )?pages python", "", file.read_text(encoding="utf-8"))
        for start in re.findall(r"(\S*)python3? (?:-m (?:benchmarks|tests|pytest)|manage\.py)", text):
            assert re.search(r"\.venv(-peers)?/bin/$", start), (file, start)


def test_each_is_run_here_or_known_to_be_run_elsewhere():
    assert documented() == {*WALK, *ELSEWHERE}


@pytest.mark.system
@pytest.mark.parametrize("system", ["embedded"], indirect=True)
def test_all_of_them_do_what_they_are_there_for(system, tmp_path):
    draft = tmp_path / "my-draft.json"
    draft.write_text(json.dumps(DRAFT))
    draft_number = ""
    own = {"my-draft.json": str(draft), "figures": str(tmp_path / "figures"), "10000": "250"}
    own["my-evidence"] = str(tmp_path / "evidence")
    own |= {"ada": secrets.token_hex(8), "NAME": secrets.token_hex(8)}
    for command in WALK:
        if command == "survey close <slug>":  # the command runs again
            continue
        arguments = [own.get(word, word) for word in command.partition(" >")[0].split()]
        if command == "survey open 1":
            arguments[-1] = draft_number
        if command.startswith("survey draft"):
            arguments += ["--owner", own["ada"]]  # a system that tests share has several owners
        said = system.manage(*arguments)
        if found := re.search(r"^Draft (\d+)", said):
            draft_number = found[1]
        if found := re.search(r"/s/#(\w{27})", said):
            own["SLUG"] = own["<slug>"] = found[1]
        if command == "survey close SLUG":
            published(system, own["SLUG"], lambda document: document["final"])
    assert (tmp_path / "figures").exists() and (tmp_path / "evidence" / "archive.zip").exists()
