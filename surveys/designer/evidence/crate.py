"""RO-Crate 1.1: the folder as research data, each file with its digest."""

from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.files import File, json_in_order
from surveys.designer.evidence.paper import missing
from surveys.researcher.results import citation

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
PROFILE = "https://w3id.org/ro/crate/1.1"
NAME = "ro-crate-metadata.json"

Entity = dict[str, object]


def text(facts: Facts, files: list[File]) -> str:
    licence, conductor = missing(facts.disclosure.licence), missing(facts.disclosure.conductor)
    graph = [
        {"@id": NAME, "@type": "CreativeWork", "conformsTo": {"@id": PROFILE}, "about": {"@id": "./"}},
        _root(facts, files),
        {"@id": "#conductor", "@type": "Organization", "name": conductor},
        {"@id": licence_id(facts), "@type": "CreativeWork", "name": licence, "description": f"Terms of use: {licence}"},
        *map(_file, files),
    ]
    own: Entity = {"sha256": "https://schema.org/sha256"}
    return json_in_order({"@context": [CONTEXT, own], "@graph": graph})


def _root(facts: Facts, files: list[File]) -> Entity:
    release = facts.release
    assert release
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": f"{facts.title}, release {release.number}",
        "description": description(facts),
        "datePublished": release.day.isoformat(),
        "version": str(release.number),
        "identifier": f"sha256:{release.digest}",
        "url": citation.address(facts.survey, release),
        "license": {"@id": licence_id(facts)},
        "author": {"@id": "#conductor"},
        "publisher": {"@id": "#conductor"},
        "hasPart": [{"@id": file.name} for file in files],
    }


def description(facts: Facts) -> str:
    assert facts.release
    return (
        f"Results of a survey under local differential privacy, alpha = {facts.alpha} for a whole report: "
        f"{facts.release.n} reports, randomized in the respondents' browsers. SHA-256 of the definition {facts.digest}."
    )


def licence_id(facts: Facts) -> str:
    given = facts.disclosure.licence.strip()
    return given if given.startswith("https://") and " " not in given else "#licence"


def _file(file: File) -> Entity:
    return {
        "@id": file.name,
        "@type": "File",
        "name": file.name,
        "description": file.purpose,
        "encodingFormat": file.media_type.partition(";")[0],
        "contentSize": str(file.size),
        "sha256": file.sha256,
    }
