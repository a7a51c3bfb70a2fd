"""P1 with forms. Within a form, no observation distinguishes two answers with one report, whether they are randomized
together or one by one. Between forms, only what the form itself says differs."""

import json
from functools import cache

import pytest

from ldp.privatize import make_report
from tests.browser.test_forms import kept
from tests.browser.test_noninterference import Witness
from tests.support import forced_words, form_cases
from tests.support.leaks import LEAKS, TELLING
from tests.support.respondents import Visit, Wire, answers, open_page
from tests.support.site import altered
from tests.support.witness import differences, forget

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# The page's first draw, after its trial of the generator or for another person, is the form; then comes the report.
INJECT = """
  const [lot, words] = [%d, %s];
  let [drawn, tries] = [0, 0];
  const real = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (array) => {
    real(array);
    tries += array.length === 8 ? 0 : 1;
    if (array.length === 8) {
      for (let i = 4; i < 8; i += 1) array[i] = tries > 2 ? words[drawn++] ?? 0 : i === 5 ? lot : 0;
    }
    return array;
  };
  window.wordsDrawn = () => `${drawn} of ${words.length}`;
"""
LOTS = [0, 2, 3]  # for the weights 2, 1 and 3

REPORTS = [
    {"region": [1], "drugs": [1], "often": [0]},
    {"region": [0], "age": [0, 3], "income": [1]},
    {"region": [1], "health": [1], "devices": [[0, 1]]},
]


class Person:
    """A person's answers by question, and the actions for them, in any order."""

    def __init__(self, answers, *steps):
        self.answers, self.steps = answers, steps

    def answer(self, visit):
        for number, given in self.steps:
            question = visit.page.locator(".question").nth(number)
            if isinstance(given, str):
                question.get_by_role("textbox").fill(given)
            elif given is None:
                question.get_by_role("button", name="Prefer not to say").click()
            else:
                question.locator("[role=radio], [role=checkbox]").nth(given).click()


PEOPLE = [
    (
        Person({"region": 0, "drugs": 0, "often": 1}, (0, 0), (1, 0), (2, 1)),
        # The person is asked less, after a look at the questions behind another answer.
        Person({"region": 1, "drugs": 1}, (1, 0), (2, 2), (0, 0), (1, 1), (0, 1)),
    ),
    (
        Person({"region": 0, "age": 0, "income": "8999.5"}, (0, 0), (1, "20"), (2, "8999.5")),
        Person({"region": 1, "age": 3, "income": "0"}, (2, "50"), (1, "77"), (1, None), (2, "0"), (0, 1)),
    ),
    (
        Person({"region": 0, "health": 2, "devices": [True, True]}, (0, 0), (1, 2), (2, 0), (2, 1)),
        Person({"region": 1, "health": 0, "devices": [False, False]}, (2, 0), (2, 2), (1, 1), (1, 0), (0, 1)),
    ),
]


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("forms"), form_cases.DRAFT)


def words(survey, form, given):
    chosen = forced_words.words(survey.definition, survey.digest, given, REPORTS[form], 7, form)
    remaining = iter(chosen)
    return chosen, make_report(survey.definition, survey.digest, given, lambda: next(remaining), form)


def arrives(browser, survey, form, person, prepare=lambda page: None):
    page = browser.new_context(viewport={"width": 800, "height": 700}).new_page()
    chosen, body = words(survey, form, person.answers)
    page.add_init_script(INJECT % (LOTS[form], json.dumps(chosen)))
    prepare(page)
    return Witness(Visit(page, survey).load()), body


def whole_visit(browser, system, survey, form, person):
    """Visit from the first question to a failed attempt, a reload, thanks and Back to the questions of the same
    form."""
    witness, body = arrives(browser, survey, form, person)
    visit, page = witness.visit, witness.page
    Wire(page, answers(503, retry_after="60"))
    assert [each["form"] for each in kept(visit)] == [form]
    witness.note("asked")
    before = len(visit.requests)
    person.answer(visit)
    assert visit.stored == kept(visit) and len(visit.requests) == before and page.url == survey.page
    witness.sends_and_makes_room(system, body)
    observed = witness.end()
    page.context.close()
    forget(system, body)
    return observed


@pytest.fixture(scope="module")
def of_first(browser, system, survey):
    """Return the visit of a form's first person; it is made once."""
    return cache(lambda form: whole_visit(browser, system, survey, form, PEOPLE[form][0]))


@pytest.mark.parametrize("form", range(3))
def test_within_a_form_nothing_tells_two_answers_with_one_report_apart(browser, system, survey, of_first, form):
    one, other = PEOPLE[form]
    assert words(survey, form, one.answers)[1] == words(survey, form, other.answers)[1]
    assert differences(of_first(form), whole_visit(browser, system, survey, form, other)) == set()


def test_between_forms_only_the_questions_and_what_was_reported_of_them_differ(of_first):
    visits = [of_first(form) for form in range(3)]
    requests = [[each[:2] for each in seen["the whole visit"]["requests"]] for seen in visits]
    assert requests[0] == requests[1] == requests[2]
    for moment, names in visits[0].items():
        of_forms = {"html", "controls", "picture", "tree", "records", "storage", "wordsDrawn", "focus", "scrolled"}
        for name in names.keys() - of_forms - {"requests"}:
            assert visits[0][moment][name] == visits[1][moment][name] == visits[2][moment][name], (moment, name)


def test_a_page_that_tells_is_noticed_with_forms_as_well(browser, system, survey):
    def brief(person):
        witness, _ = arrives(browser, survey, 0, person, altered(TELLING))
        Wire(witness.page, answers(201))
        person.answer(witness.visit)
        witness.visit.send().is_thanked()
        witness.note("thanked")
        observed = witness.end()
        witness.page.context.close()
        return observed

    first, second = map(brief, PEOPLE[0])
    noticed = {difference.split(": ")[1] for difference in differences(first, second)}
    assert noticed == {name for names in LEAKS.values() for name in names}
