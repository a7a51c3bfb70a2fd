"""A survey with every kind of question, consent, thanks and sections. It exists in three languages, and in all
languages of the page. Each language has a file with its texts."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from surveys.rules import languages

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"


def _asked(key: str, kind: str, text: str, **fields: Any) -> dict[str, Any]:
    return {"key": key, "kind": kind, "text": text, "alpha": "1"} | fields


DRAFT: dict[str, Any] = {
    "title": "Leben in der Stadt",
    "introduction": "Sieben Fragen.",
    "consent": "Die Ergebnisse werden veröffentlicht.",
    "thanks": "Bis zum nächsten Mal!",
    "language": "de",
    "sections": [
        {"title": "Zu Ihnen", "text": "", "questions": ["moved", "age", "work", "income"]},
        {"title": "Zur Stadt", "text": "Wie es Ihnen hier geht.", "questions": ["likes", "content", "places"]},
    ],
    "questions": [
        _asked("moved", "yes_no", "Sind Sie umgezogen?", prefer_not_to_say=True),
        _asked("age", "histogram", "Wie alt sind Sie?", edges=["18", "30", "45.5", "60"], unit="Jahre"),
        _asked("work", "single_choice", "Was arbeiten Sie?", note="Hauptsächlich.", options=["Büro", LONG, "Anderes"])
        | {"prefer_not_to_say": True},
        _asked("income", "mean", "Was verdienen Sie im Monat?", low="0", high="5000", unit="Euro"),
        _asked("likes", "multiple_choice", "Was mögen Sie?", options=["Parks", "Cafés", "Museen"]),
        _asked("content", "ordered", "Wie zufrieden sind Sie?", options=["Gar nicht", "Etwas", "Sehr"]),
        _asked("places", "grid", "Wie finden Sie …?", items=["Busse", "Wege"], options=["Schlecht", "Mittel", "Gut"]),
    ],
    "translations": {
        "en": {
            "title": "Life in the city",
            "introduction": "Seven questions.",
            "consent": "The results will be published.",
            "thanks": "See you next time!",
            "sections": [{"title": "About you", "text": ""}, {"title": "About the city", "text": "How you fare here."}],
            "questions": [
                {"text": "Have you moved?", "note": ""},
                {"text": "How old are you?", "note": "", "unit": "years"},
                {"text": "What is your work?", "note": "Mainly.", "options": ["Office", "Shipping", "Something else"]},
                {"text": "What do you earn a month?", "note": "", "unit": "euros"},
                {"text": "What do you like?", "note": "", "options": ["Parks", "Cafes", "Museums"]},
                {"text": "How content are you?", "note": "", "options": ["Not at all", "A little", "Very"]},
                {
                    "text": "How do you find …?",
                    "note": "",
                    "items": ["Buses", "Paths"],
                    "options": ["Bad", "Fair", "Good"],
                },
            ],
        },
        "ar": {
            "title": "الحياة في المدينة",
            "introduction": "سبعة أسئلة.",
            "consent": "ستُنشر النتائج.",
            "thanks": "إلى اللقاء!",
            "sections": [{"title": "عنك", "text": ""}, {"title": "عن المدينة", "text": "كيف حالك هنا."}],
            "questions": [
                {"text": "هل انتقلت إلى مسكن آخر؟", "note": ""},
                {"text": "كم عمرك؟", "note": "", "unit": "سنة"},
                {"text": "ما عملك؟", "note": "عملك الأساسي.", "options": ["مكتب", "ملاحة", "غير ذلك"]},
                {"text": "كم تكسب في الشهر؟", "note": "", "unit": "يورو"},
                {"text": "ماذا تحب؟", "note": "", "options": ["الحدائق", "المقاهي", "المتاحف"]},
                {"text": "ما مدى رضاك؟", "note": "", "options": ["غير راضٍ", "راضٍ قليلًا", "راضٍ جدًا"]},
                {
                    "text": "كيف تجد …؟",
                    "note": "",
                    "items": ["الحافلات", "الطرق"],
                    "options": ["سيئة", "متوسطة", "جيدة"],
                },
            ],
        },
    },
}


TEXTS = {file.stem: json.loads(file.read_text()) for file in sorted((Path(__file__).parent / "texts").glob("*.json"))}

# Long tests run in these languages only. A fault of the page's code in one language also shows here. Daily tests of all
# languages check that the words are complete, fit and are used. English has its states in tests/browser/test_access.py.
DAILY = ("de", "ar")
MOST = [tag if tag in DAILY else pytest.param(tag, marks=pytest.mark.long) for tag in languages.PAGE]


def spoken(change: Callable[[dict[str, Any]], Any] | None = None) -> dict[str, Any]:
    """Return the draft in every language of the page, changed in place by `change`."""
    return draft(lambda made: (made["translations"].update(deepcopy(TEXTS)), change and change(made)))


def draft(change: Any = None, **fields: Any) -> dict[str, Any]:
    """Return the draft, changed in place by `change`."""
    made: dict[str, Any] = deepcopy(DRAFT) | fields
    if change:
        change(made)
    return made
