"""A survey in forms, small enough to count by hand. One question is for all respondents. One form is joint, one has two
separate questions, and one has a single question."""

from typing import Any

from tests.support.drawn import drawn

YES_NO = ["Yes", "No"]
DRAFT: dict[str, Any] = drawn(
    {
        "title": "In forms",
        "introduction": "Each person gets a part of the questions.",
        "questions": [
            {
                "key": "region",
                "kind": "single_choice",
                "text": "Where?",
                "options": ["north", "south", "east"],
                "alpha": "1",
            },
            {"key": "drugs", "kind": "yes_no", "text": "Ever taken drugs?"},
            {"key": "age", "kind": "histogram", "text": "How old?", "edges": ["18", "30", "50", "99"]},
            {
                "key": "health",
                "kind": "ordered",
                "text": "How healthy?",
                "options": ["bad", "so so", "good"],
                "alpha": "1",
            }
            | {"mechanism": "randomized_response"},
            {"key": "doctor", "kind": "yes_no", "text": "Seen a doctor?", "alpha": "1"},
            {
                "key": "income",
                "kind": "mean",
                "text": "Income?",
                "low": "0",
                "high": "1000",
                "unit": "euro",
                "alpha": "2",
            },
        ],
        "forms": [
            {"weight": 2, "questions": ["drugs", "age"], "alpha": "2"},
            {"weight": 1, "questions": ["health", "doctor"]},
            {"weight": 1, "questions": ["income"]},
        ],
    }
)
ANSWERS: dict[str, Any] = {"region": 0, "drugs": 0, "age": 0, "health": 0, "doctor": 0, "income": "0"}
"""The answers of a person to whom all first answers apply."""
