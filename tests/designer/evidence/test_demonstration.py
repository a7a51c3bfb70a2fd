"""docs/evidence equals the command's files for the demo survey, and follows the rules of archives that take them."""

import hashlib
import json
import re
import zipfile
from datetime import date
from xml.etree import ElementTree

import pytest
import yaml
from django.core.management import CommandError, call_command

from surveys.designer.evidence import catalog
from tests.support.evidence import FOLDER, RUN, demonstration

pytestmark = pytest.mark.django_db
DDI = "{ddi:codebook:2_6}"


@pytest.fixture(scope="module")
def folder(outer_transaction, tmp_path_factory):
    demonstration()
    written = tmp_path_factory.mktemp("evidence") / "of" / "demo"
    call_command("survey", "evidence", RUN["slug"], str(written), verbosity=0)
    return written


def contents(folder, ending="*"):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob(ending)
        if path.is_file() and path.name not in (catalog.ARCHIVE, "README.md")
    }


# The last digits of a number found by search depend on the processor, and so do the digests and sizes of the files
# that contain it.
SIZE = re.compile(r'(?<=contentSize": ")\d+|\d+(?= bytes")')
DIGITS = re.compile(r"-?\d+\.\d{10,}(?:e-?\d+)?")


def on_any_processor(folder):
    """Return the texts of the files: numbers to nine digits, names of files in place of their digests, and no sizes."""
    files = contents(folder)
    texts = {name: content.decode() for name, content in files.items()}
    for name, content in files.items():
        digest = hashlib.sha256(content).hexdigest()
        texts = {each: text.replace(digest, name) for each, text in texts.items()}
    texts = {name: SIZE.sub("size", text) for name, text in texts.items()}
    return {name: DIGITS.sub(lambda number: f"{float(number[0]):.9g}", text) for name, text in texts.items()}


def test_the_repository_has_what_the_command_writes(folder):
    """After a change of a document, run: python -m tests.documents.evidence"""
    assert on_any_processor(folder) == on_any_processor(FOLDER)


def test_a_folder_with_something_in_it_is_left_as_it_is(folder):
    with pytest.raises(CommandError, match="new or empty"):
        call_command("survey", "evidence", RUN["slug"], str(folder))


def test_the_archive_holds_the_folder(folder):
    with zipfile.ZipFile(folder / catalog.ARCHIVE) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == contents(folder)


def test_every_file_is_described_with_its_digest_and_size(folder):
    crate = json.loads((folder / "ro-crate-metadata.json").read_text())
    graph = {entity["@id"]: entity for entity in crate["@graph"]}
    files = contents(folder)
    del files["ro-crate-metadata.json"]
    assert {part["@id"] for part in graph["./"]["hasPart"]} == files.keys()
    for name, content in files.items():
        assert graph[name]["sha256"] == hashlib.sha256(content).hexdigest(), name
        assert graph[name]["contentSize"] == str(len(content))
    root = graph["./"]
    assert {"name", "description", "datePublished", "license"} <= root.keys() and root["license"]["@id"] in graph
    assert graph["ro-crate-metadata.json"]["about"] == {"@id": "./"}


def test_croissant_names_files_that_are_there_and_columns_that_they_have(folder):
    croissant = json.loads((folder / "croissant.json").read_text())
    for file in croissant["distribution"]:
        assert (folder / file["contentUrl"]).stat().st_size == int(file["contentSize"].removesuffix(" B"))
    head = (folder / "data/estimates.csv").read_text(encoding="utf-8-sig").splitlines()[0].split(",")
    [records] = croissant["recordSet"]
    assert [field["source"]["extract"]["column"] for field in records["field"]] == head


def test_the_registrys_entry_keeps_the_rules_of_its_third_tier(folder):
    text = (folder / "registry.yaml").read_text()
    entry = yaml.safe_load(text)
    assert entry.keys() == {"url_slug", "status", "tier", "deployment"} and entry["tier"] == 3
    assert set(entry["deployment"]) == {
        *("basic", "dp_variant", "privacy_loss", "deployment_model", "accounting", "implementation", "administrative")
    }
    assert entry["deployment"]["privacy_loss"]["privacy_parameters"] == {"epsilon": 2.0}
    assert date.fromisoformat(entry["deployment"]["basic"]["publication_date"])
    assert re.fullmatch(r"[\w-]+", entry["url_slug"]) and not re.search(r": >", text), "folded texts are refused"


# The used elements, in the schema's order.
ORDER = {
    "codeBook": ["docDscr", "stdyDscr", "fileDscr", "dataDscr"],
    "stdyDscr": ["citation", "stdyInfo", "method", "dataAccs"],
    "citation": ["titlStmt", "rspStmt", "prodStmt", "distStmt", "verStmt", "holdings"],
    "sumDscr": ["collDate", "anlyUnit", "universe", "dataKind"],
    "var": ["labl", "qstn", "valrng", "catgry", "codInstr", "varFormat"],
    "catgry": ["catValu", "labl"],
}


def test_ddi_has_its_elements_in_the_schemas_order_and_every_id_once(folder):
    root = ElementTree.fromstring((folder / "ddi.xml").read_bytes())
    assert root.tag == f"{DDI}codeBook" and root.get("version") == "2.6"
    for element in root.iter():
        order = ORDER.get(element.tag.removeprefix(DDI))
        places = [order.index(child.tag.removeprefix(DDI)) for child in element] if order else []
        assert places == sorted(places), element.tag
    ids = [element.get("ID") for element in root.iter() if element.get("ID")]
    assert len(ids) == len(set(ids)) and all(re.fullmatch(r"[A-Z]\w+", one) for one in ids)


def test_ddi_has_the_columns_of_the_randomized_reports(folder):
    root = ElementTree.fromstring((folder / "ddi.xml").read_bytes())
    book = json.loads((folder / "data/codebook.json").read_text())
    columns = [column["name"] for question in book["questions"] for column in question["microdata"]["columns"]]
    assert [one.get("name") for one in root.iter(f"{DDI}var")] == [book["form_column"], *columns]
