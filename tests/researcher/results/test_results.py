"""The results page has the document's numbers, and only readers with the right to see it do."""

import re
from decimal import Decimal
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.test.html import Element, parse_html

from ldp.inference.estimates import TARGETS
from surveys.figures import numerals
from surveys.life.lifecycle import close_survey, create_draft
from surveys.models import Membership, Role, Survey
from tests.support.estimates import HOSTILE, LARGE, ODD, document_of, released, with_totals, work
from tests.support.factories import DRAFT, opened_survey
from tests.worker.test_batches import store

pytestmark = pytest.mark.django_db

VISITORS = ("anonymous", "account", "viewer")


def client_of(visitor):
    client = Client()
    if visitor != "anonymous":
        user = User.objects.create_user(visitor)
        if visitor == "viewer":
            for survey in Survey.objects.all():
                Membership.objects.create(survey=survey, user=user, role=Role.VIEWER)
        client.force_login(user)
    return client


def get(survey, client=None, query=""):
    response = (client or Client()).get(f"/r/{survey.slug}/{query}")
    assert response.status_code == 200
    return response.content.decode()


def elements(node, name):
    """Return all elements with that name inside a node, in order."""
    if not isinstance(node, Element):
        return []
    return ([node] if node.name == name else []) + [found for child in node.children for found in elements(child, name)]


def text(node):
    parts = [text(child) if isinstance(child, Element) else child for child in node.children]
    return " ".join(unescape(" ".join(parts)).split())


def rows(table):
    return [[text(cell) for cell in row.children] for row in elements(elements(table, "tbody")[0], "tr")]


def says(shown, value):
    """Return whether a number in percent is the value, rounded at its last decimal."""
    number = Decimal(shown.replace(numerals.MINUS, "-").replace(",", ""))
    return abs(number - Decimal(100 * value)) <= Decimal(10) ** number.as_tuple().exponent / 2 + Decimal("1e-9")


def holds(shown, interval):
    """Return whether an interval in percent contains `interval` and is at most one unit of its last decimal wider at
    either end."""
    low, high = (Decimal(end.replace(numerals.MINUS, "-").replace(",", "")) for end in shown.split(" to "))
    unit, close = Decimal(10) ** low.as_tuple().exponent, Decimal("1e-6")
    inner, outer = (Decimal(100 * end) for end in interval)
    return -close <= inner - low <= unit and -close <= high - outer <= unit


# The numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("draft", [DRAFT, ODD, LARGE], ids=["three kinds", "odd texts", "256 options"])
def test_the_tables_hold_the_numbers_of_the_document(draft):
    survey = released(30, draft, results_public=True)
    for target in TARGETS:
        tables = elements(parse_html(get(survey, query=f"?target={target}")), "table")
        for table, question in zip(tables, document_of(survey)["questions"], strict=True):
            _holds_the_numbers(table, question, target)


def _holds_the_numbers(table, question, target):
    by_option = {" ".join(category["option"].split()): category for category in question["methods"][0]["categories"]}
    assert len(rows(table)) == len(by_option)
    for option, share, together, alone, error in rows(table):
        category = by_option[option]
        about = category[target]
        assert says(share, category["estimate"]) and says(error, about["standard_error"])
        for shown, interval in ((together, about["simultaneous"]), (alone, about["interval"])):
            assert holds(shown, interval)


def test_each_question_says_n_alpha_mechanism_method_efficiency_and_effective_sample_size():
    survey = released(40, results_public=True)
    page = parse_html(get(survey))
    sections = [s for s in elements(page, "section") if ("class", "question") in s.attributes]
    for section, question in zip(sections, document_of(survey)["questions"], strict=True):
        method = question["methods"][0]
        facts = {
            text(dt): text(dd)
            for dl in [d for d in elements(section, "dl") if ("class", "facts") in d.attributes]
            for dt, dd in _pairs(dl)
        }
        assert facts["Reports"].startswith("40 ")
        assert facts["Privacy parameter"].startswith(f"α = {question['alpha']} ")
        assert question["mechanism"].split("_")[0] in facts["Mechanism"].lower()
        assert method["method"] in facts["Method"].lower()
        assert facts["Efficiency"].startswith(numerals.percent(method["at_equal_shares"]["efficiency"]))
        assert facts["Effective sample size"].startswith(numerals.count(method["at_estimate"]["effective_n"]))
        assert facts["Intervals"].startswith("Exact ")
        assert all(len(fact.split()) > 5 and fact.endswith(".") for fact in facts.values())
    assert survey.digest in text(page)


def _pairs(dl):
    return [(elements(div, "dt")[0], elements(div, "dd")[0]) for div in elements(dl, "div")]


def test_the_page_says_in_a_word_how_strongly_a_report_is_protected():
    for alpha, word in (("1", "strong"), ("2", "moderate"), ("4", "weak"), ("9", "hardly any")):
        survey = released(
            20, {"title": "One", "questions": [DRAFT["questions"][0] | {"alpha": alpha}]}, results_public=True
        )
        assert f"Privacy: {word} protection (α = {alpha})" in text(parse_html(get(survey)))


def test_impossible_estimates_stand_as_they_are_and_are_explained():
    survey = released(results_public=True)
    document = with_totals(survey, 60, yes={"support": [58, 2]})
    shares = [category["estimate"] for category in document["questions"][0]["methods"][0]["categories"]]
    assert shares[0] > 1 and shares[1] < 0
    page = get(survey)
    first = rows(elements(parse_html(page), "table")[0])
    assert first[1][1].startswith(numerals.MINUS) and says(first[1][1], shares[1]) and says(first[0][1], shares[0])
    assert "An estimate can fall below 0 or above 100" in page
    with_totals(survey, 60, yes={"support": [30, 30]}, which={"support": [30] * 4})
    assert page.count("An estimate can fall below") > get(survey).count("An estimate can fall below")


# Rights and times -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("public", [True, False], ids=["public", "not public"])
def test_results_are_for_staff_until_they_are_published(visitor, public):
    survey, client = released(20, results_public=public), client_of(visitor)
    api = f"/api/v1/surveys/{survey.slug}"
    addresses = [f"/r/{survey.slug}/", f"/r/{survey.slug}/plots/yes-light-wide.svg"]
    for address in [*addresses, f"{api}/estimates", f"{api}/estimates.csv"]:
        response = client.get(address)
        seen = public or visitor == "viewer"
        assert response.status_code == (200 if seen else 404), address
        if seen and not public:
            assert "public" not in response["Cache-Control"], address
        if not seen:
            assert survey.title.encode() not in response.content, address


@pytest.mark.parametrize(
    ("account", "role", "seen"),
    [
        ({"is_staff": True}, None, False),
        ({}, Role.VIEWER, True),
        ({}, Role.OWNER, True),
        ({"is_active": False}, Role.OWNER, False),
        ({"is_superuser": True}, None, True),
        ({"is_superuser": True, "is_active": False}, None, False),
    ],
)
def test_results_that_are_not_published_need_a_role_on_the_survey(account, role, seen):
    survey, other = released(20), opened_survey()
    user = User.objects.create_user("somebody", **account)
    Membership.objects.create(survey=other, user=user, role=Role.OWNER)
    if role:
        Membership.objects.create(survey=survey, user=user, role=role)
    client = Client()
    client.force_login(user)
    for address in (f"/r/{survey.slug}/", f"/api/v1/surveys/{survey.slug}/estimates"):
        assert client.get(address).status_code == (200 if seen else 404), address


@pytest.mark.parametrize("visitor", VISITORS)
def test_a_draft_has_no_results(visitor):
    survey = create_draft(DRAFT, results_public=True)
    Survey.objects.filter(pk=survey.pk).update(slug="abc")
    client = client_of(visitor)
    for address in ("/r/abc/", "/r/abc/plots/yes-light-wide.svg", "/api/v1/surveys/abc/estimates"):
        assert client.get(address).status_code == 404, address


def test_before_the_first_count_the_page_says_so_and_there_is_nothing_to_fetch():
    survey = opened_survey(results_public=True)
    assert "No release yet" in get(survey) and "when 200 to 300 reports have come" in get(survey)
    close_survey(survey)
    assert "The survey has ended." in get(survey)
    for address in (f"/r/{survey.slug}/plots/yes-light-wide.svg", f"/api/v1/surveys/{survey.slug}/estimates"):
        assert Client().get(address).status_code == 404


def test_results_are_provisional_until_the_final_release():
    survey = opened_survey(results_public=True)
    store(survey, range(250))
    work(survey)
    assert "Provisional" in get(survey) and "at least 100 reports more" in get(survey)
    close_survey(survey)
    assert "Provisional" in get(survey), "the page shows what the release says"
    work(survey)
    assert "Provisional" not in get(survey)


def test_the_page_is_not_kept_by_caches():
    response = Client().get(f"/r/{released(20, results_public=True).slug}/")
    assert {"private", "no-cache"} <= set(response["Cache-Control"].split(", "))


# Format ---------------------------------------------------------------------------------------------------------------


def test_texts_of_a_designer_are_only_text():
    page = get(released(20, ODD, results_public=True))
    assert HOSTILE not in page and "&lt;b&gt;=HYPERLINK(&quot;x&quot;)&lt;/b&gt; &amp; $x^2$" in page


def test_nothing_on_the_page_needs_an_exception_from_the_policy():
    page = get(released(20, results_public=True))
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    scripts = re.findall(r"<script.*?</script>", page, re.DOTALL)
    assert all(re.fullmatch(r'<script type="module" src="/static/[\w/.]+"></script>', script) for script in scripts)


def test_every_address_on_the_page_answers():
    survey = released(20, results_public=True)
    page = get(survey)
    addresses = set(re.findall(r'(?:href|src|srcset)="(/[^"]*)"', page))
    assert len([address for address in addresses if "/plots/" in address]) == 3 * (4 + 3)
    for address in addresses:
        assert Client().get(unescape(address), follow=True).status_code == 200, address
    for query in set(re.findall(r'href="(\?[^"#]*)', page)):
        assert get(survey, query=unescape(query))
