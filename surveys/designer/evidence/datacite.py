"""Metadata to register a DOI, for DataCite's REST API. The registrant chooses the DOI."""

from surveys.designer.evidence.crate import description, licence_id
from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.files import File, json_in_order
from surveys.designer.evidence.paper import missing
from surveys.researcher.results import citation


def text(facts: Facts, files: list[File]) -> str:
    release, given = facts.release, facts.disclosure
    assert release
    rights = {"rights": missing(given.licence)}
    if licence_id(facts) != "#licence":
        rights["rightsUri"] = licence_id(facts)
    attributes = {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "titles": [{"title": facts.title, "lang": facts.languages[0]}],
        "creators": [{"name": missing(given.conductor), "nameType": "Organizational"}],
        "publisher": {"name": missing(given.conductor)},
        "publicationYear": release.day.year,
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Survey under local differential privacy"},
        "language": facts.languages[0],
        "version": str(release.number),
        "dates": [{"date": release.day.isoformat(), "dateType": "Issued"}, *_collected(facts)],
        "descriptions": [{"description": description(facts), "descriptionType": "Abstract", "lang": "en"}],
        "fundingReferences": [{"funderName": given.sponsor.strip()}] if given.sponsor.strip() else [],
        "rightsList": [rights],
        "sizes": [f"{sum(file.size for file in files)} bytes", f"{release.n} reports"],
        "formats": sorted({file.media_type.partition(";")[0] for file in files}),
        "alternateIdentifiers": [
            {"alternateIdentifier": facts.digest, "alternateIdentifierType": "SHA-256 of the definition"},
            {"alternateIdentifier": release.digest, "alternateIdentifierType": "SHA-256 of the totals"},
        ],
        "url": citation.address(facts.survey, release),
    }
    return json_in_order({"data": {"type": "dois", "attributes": attributes}})


def _collected(facts: Facts) -> list[dict[str, str]]:
    survey = facts.survey
    begins, ends = survey.opens_at or survey.opened_at, survey.closed_at
    if begins is None or ends is None:
        return []
    return [{"date": f"{begins.date().isoformat()}/{ends.date().isoformat()}", "dateType": "Collected"}]
