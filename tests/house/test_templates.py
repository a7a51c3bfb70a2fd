"""Templates: the text between two names follows the language of the page."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "surveys" / "templates"
TRANSLATED = re.compile(r"{#.*?#}|{% blocktranslate.*?{% endblocktranslate %}|{% translate .*?%}", re.DOTALL)
BETWEEN = re.compile(r"[>}\0],\s*(?=[<{\0])|[“”]")


def test_no_template_writes_a_comma_or_a_quotation_mark_of_english_by_itself():
    texts = {path: TRANSLATED.sub("\0", path.read_text(encoding="utf-8")) for path in TEMPLATES.rglob("*.html")}
    assert len(texts) > 100
    assert [path for path, text in texts.items() if BETWEEN.search(text)] == []
