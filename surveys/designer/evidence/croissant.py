"""Croissant 1.0: the estimates as a table that machine-learning tools read, each file with its digest."""

from surveys.designer.evidence.crate import description, licence_id
from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.files import File, json_in_order
from surveys.designer.evidence.paper import missing
from surveys.researcher.downloads import estimate_columns
from surveys.researcher.results import citation
from surveys.researcher.sheets.column import Column

CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
TABLE = "data/estimates.csv"
TYPES = {"text": "sc:Text", "date": "sc:Date", "number": "sc:Float", "whole number": "sc:Integer"}

Node = dict[str, object]


def text(facts: Facts, files: list[File]) -> str:
    release = facts.release
    assert release and facts.document
    data: Node = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts.title,
        "description": description(facts),
        "license": missing(facts.disclosure.licence) if licence_id(facts) == "#licence" else licence_id(facts),
        "url": citation.address(facts.survey, release),
        "version": f"{release.number}.0.0",
        "datePublished": release.day.isoformat(),
        "creator": {"@type": "sc:Organization", "name": missing(facts.disclosure.conductor)},
        "citeAs": citation.bibtex(facts.survey, release),
        "isLiveDataset": False,
        "distribution": [_file(file) for file in files],
        "recordSet": [_records(facts)],
    }
    return json_in_order(data)


def _file(file: File) -> Node:
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "description": file.purpose,
        "contentUrl": file.name,
        "contentSize": f"{file.size} B",
        "encodingFormat": file.media_type.partition(";")[0],
        "sha256": file.sha256,
    }


def _records(facts: Facts) -> Node:
    assert facts.document
    return {
        "@type": "cr:RecordSet",
        "@id": "estimates",
        "name": "estimates",
        "description": "One row for each estimate, target and confidence.",
        "field": [_field(column) for column in estimate_columns.of_document(facts.document)],
    }


def _field(column: Column) -> Node:
    return {
        "@type": "cr:Field",
        "@id": f"estimates/{column.name}",
        "name": column.name,
        "description": column.meaning,
        "dataType": TYPES.get(column.type, "sc:Boolean"),
        "source": {"fileObject": {"@id": TABLE}, "extract": {"column": column.name}},
    }
