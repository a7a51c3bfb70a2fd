"""Drafts as files in our JSON."""

import json

from django.utils.translation import gettext as _

from surveys.designer.files import shape
from surveys.rules.draft import Draft
from surveys.rules.refusals import refuse
from surveys.survey.definition import DraftDecoder


def read(data: bytes) -> Draft:
    """Return the draft in a file, complete or not. Raise DraftRefused with all reasons if there is none."""
    try:
        given = json.loads(data.decode("utf-8-sig"), cls=DraftDecoder)
    except UnicodeDecodeError:
        raise refuse(_("file"), "file_encoding", _("must be UTF-8 text")) from None
    except json.JSONDecodeError as error:
        rule, where = _("is not JSON: line %(line)d, column %(column)d: %(reason)s"), _("file")
        values = {"line": error.lineno, "column": error.colno, "reason": error.msg}
        raise refuse(where, "file_syntax", rule % values) from None
    return shape.draft(given)


def write(draft: Draft) -> str:
    """Return the draft as JSON that people can read and edit."""
    return json.dumps(draft, indent=2, ensure_ascii=False) + "\n"
