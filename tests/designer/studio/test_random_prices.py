"""Random drafts. A proposal is never worse than the current design. No price leaves more questions without a result,
and one click undoes it and restores the draft exactly."""

import random
from copy import deepcopy
from typing import Any

import pytest

from surveys import drafts
from surveys.designer.privacy import prices, proposal, storage
from surveys.designer.privacy.questions import questions_of
from surveys.drafts import history
from surveys.drafts.normalize import normalized
from surveys.life.lifecycle import begin_draft
from tests.designer.studio.test_planner import brief_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

KINDS: dict[str, dict[str, Any]] = {
    "yes_no": {},
    "single_choice": {"options": ["a", "b", "c", "d", "e"]},
    "ordered": {"options": ["never", "seldom", "often", "always"]},
    "histogram": {"edges": ["0", "10", "20", "30", "40"], "unit": "years"},
    "mean": {"low": "0", "high": "10", "unit": "hours"},
    "multiple_choice": {"options": ["a", "b", "c"]},
    "grid": {"items": ["one", "two"], "options": ["no", "yes"]},
}


def random_draft(chance):
    """Return a draft of up to three questions of any kind, left to the planner, with or without alphas. Some have
    sections, a condition or a translation."""
    count = chance.randint(1, 3)
    kinds = [chance.choice(list(KINDS)) for _ in range(count)]
    questions = [
        {"key": f"q{k}", "kind": kind, "text": f"Question {k}?"} | deepcopy(KINDS[kind]) for k, kind in enumerate(kinds)
    ]
    draft = {"title": "Random", "introduction": "", "questions": questions}
    if kinds[0] in ("yes_no", "single_choice", "ordered") and kinds[-1] == "yes_no" and count > 1:
        questions[-1] |= {"asked_if": {"question": "q0", "options": [0]}}
    if chance.random() < 0.5:
        draft["sections"] = [{"title": "All", "text": "", "questions": [each["key"] for each in questions]}]
    if chance.random() < 0.5:
        draft["protection"] = {"alpha": chance.choice(("1", "2", "4")), "important": ["q0"]}
    elif chance.random() < 0.5:
        for each in questions:
            each["alpha"] = chance.choice(("0.5", "1"))
    return draft


@pytest.mark.parametrize("seed", range(8))
def test_a_random_draft_is_proposed_nothing_worse_and_each_price_is_undone(ada, seed):
    chance = random.Random(seed)
    survey = begin_draft(ada, random_draft(chance), expected_n=chance.choice((120, 400, 1500, 6000)))
    brief = brief_of(survey, total=chance.choice(("1", "2", "4")), crossed=chance.choice(("none", "all")))
    offered = proposal.offer(questions_of(survey), brief)
    assert offered.now is None or offered.outcome.merit.is_no_worse_than(offered.now.merit)
    listed = prices.price_list(questions_of(survey), offered, normalized(survey.draft))
    for name in [line.name for line in listed]:
        change, priced = prices.find(offered, normalized(survey.draft), name)
        assert priced.outcome.merit.without_result <= offered.outcome.merit.without_result
        before, people = deepcopy(survey.draft), survey.expected_n
        edit = None
        if change.brief.questions != brief.questions:
            edit = lambda draft, change=change: prices.edit(draft, brief, change)  # noqa: E731
        expected = change.brief.n if change.name == "people" else None
        storage.apply(survey, ada, storage.draft_mark(before), change.brief, priced.design, edit, expected)
        survey.refresh_from_db()
        step = history.last(survey, ada)
        assert (survey.draft, survey.expected_n) != (before, people) or step is None
        if step is not None:
            drafts.put_back(survey, ada, step)
            survey.refresh_from_db()
        assert (survey.draft, survey.expected_n) == (before, people), name
