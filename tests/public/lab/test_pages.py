"""The lab's pages have ldp's numbers, refuse all bad numbers at once, and keep the selection in the URL."""

import re
import subprocess
import sys
import time
from html import unescape

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from ldp.central import bounds, composition, proportion, shuffled, trust
from surveys.figures import numerals
from surveys.public.lab import markdown, views
from surveys.public.lab.figures import FIGURES
from surveys.public.lab.inputs import DEFAULTS, chosen_numbers, read
from surveys.public.lab.rooms import ROOMS

pytestmark = pytest.mark.django_db

CHOSEN = {"n": "400", "alpha": "0.7", "d": "5", "shares": "20", "delta": "1e-5", "confidence": "90"}
# The largest work for each number.
HARDEST = [
    {"n": "100000", "alpha": "16", "d": "256", "delta": "1e-12", "times": "1000", "confidence": "99.9"}
    | {"questions": "50"},
    {"n": "100000", "alpha": "1", "delta": "1e-12", "shares": "50", "null": "50", "atom": "0"},
    {"n": "100000", "alpha": "0.01", "shares": "99.99", "null": "99.9", "atom": "100", "delta": "0.1"},
]
LEAST = {"n": "1", "alpha": "0.01", "d": "256", "shares": "0.01", "null": "0.1", "times": "1", "confidence": "50"}
SECONDS = 6.0  # limit of processor time for a page with all its charts; it takes about one on a quiet machine


def get(name, query=None, **headers):
    return Client(headers=headers).get(reverse(name), query or {})


def text_of(response):
    """Return the page's text with each run of blanks as one blank."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def numbers(query):
    form = read(query)
    assert form.is_valid(), form.errors
    return chosen_numbers(form)


def cells(response):
    """Return the texts of every table row, without tags."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", response.content.decode(), re.DOTALL)
    found = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    return [[unescape(re.sub(r"<[^>]+>", "", cell)) for cell in row] for row in found]


# Numbers --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", [{}, CHOSEN, {"n": "30", "alpha": "3", "shares": "2.5"}])
def test_the_three_rows_are_ldps(query):
    given = numbers(query)
    found = cells(get("lab", query))[1:]
    rows = trust.rows(given.n, given.alpha, given.d, given.share, given.confidence)
    errors = trust.standard_errors(given.n, given.alpha, given.d, given.share)
    assert len(found) == len(rows) == 5
    for cell, row in zip(found, rows, strict=True):
        error = {"none": errors.without_privacy, "curator": errors.curator, "local": errors.local}[row.trust]
        decimals = numerals.decimals_for(error)
        assert cell[1] == numerals.span(tuple(row.interval), decimals)
        assert cell[3] == f"{100 * row.coverage:.2f}" and row.method in cell[0]


def test_the_sentences_say_what_the_difference_is_worth():
    given, text = numbers(CHOSEN), text_of(get("lab", CHOSEN))
    errors = trust.standard_errors(given.n, given.alpha, given.d, given.share)
    price = errors.local / errors.without_privacy
    assert f"the standard error is {price:.1f} times that without privacy" in text
    assert f"about {numerals.rounded_up(400 * price**2)} people must be asked locally" in text
    assert "each of them has half of alpha, 0.350" in text
    assert "half of alpha" not in text_of(get("lab"))


def test_the_other_pages_show_ldps_numbers():
    given = numbers({})
    tests = {row[0]: row[1:] for row in cells(get("lab-tests"))}
    for name, of in (
        ("most powerful", proportion.most_powerful),
        ("normal", proportion.normal_power),
        ("fiducial", proportion.fiducial_power),
    ):
        size, found = (of(1000, 0.25, share, 1.0, 0.05) for share in (0.25, 0.3))
        assert tests[f"curator, {name}"] == [f"{100 * size:.2f}", f"{100 * found:.1f}"]
    together = {row[0]: row[1] for row in cells(get("lab-together")) if len(row) == 2}
    optimal = composition.optimal(1.0, 100, 1e-6)
    assert together["optimal"] == numerals.small(optimal) and together["basic: the sum"] == "100"
    assert numerals.small(shuffled.guarantee(1.0, 1000, 1e-6)) == "0.149"
    assert "readers face an alpha of 0.149" in text_of(get("lab-together"))
    limits = {row[0]: row[1] for row in cells(get("lab-limits"))}
    squared = bounds.squared_errors(1000, 1.0, 2, given.shares)
    assert limits["Trusted curator"] == numerals.small(squared.curator)
    noise = {row[0]: row[1] for row in cells(get("lab-noise"))}
    assert noise["Laplace"] == "1.41" and noise["Gaussian"] == "4.22"


def test_the_local_model_is_never_said_to_be_helped_by_shuffling_against_the_server():
    text = text_of(get("lab-together", {"alpha": "2"}))
    assert "For readers of releases, never against the server" in text
    assert "against them there is only alpha 2" in text


# Bad numbers ----------------------------------------------------------------------------------------------------------

BAD = {
    "n": ["0", "-3", "100001", "1.5", "many", "", "9" * 400],
    "alpha": ["0", "0.009", "16.1", "nan", "inf", "", "1,5,5", "1.5e0", "0.1234567"],
    "d": ["1", "257", "x", ""],
    "shares": ["0", "100", "101", "-5", "a", "", "20, 30", "50, 60", "33.33333", ",", "30,70,"],
    "delta": ["0", "1e-13", "0.2", "1", "", "1e-999999999", "NaN"],
    "confidence": ["49", "100", "x", ""],
    "null": ["0", "100", ""],
    "atom": ["-1", "101", ""],
    "times": ["0", "1001", ""],
    "questions": ["1", "51", "2.5", ""],
}


@pytest.mark.parametrize("name", BAD)
def test_every_bad_number_is_refused_beside_its_field_with_the_value_kept(name):
    room = next(room.name for room in ROOMS.values() if name in room.fields)
    for value in BAD[name]:
        response = get(room, {name: value})
        page = response.content.decode()
        assert response.status_code == 422, value
        assert f'id="{name}-error"' in page and f'aria-describedby="{name}-error {name}-help"' in page
        field = re.search(rf'<input id="id_{name}"[^>]*>', page)[0]
        assert f'value="{value}"' in field and 'aria-invalid="true"' in field
        assert page.count('class="error"') == 1 and "<figure" not in page


def test_all_bad_numbers_are_refused_at_once_also_those_of_other_pages():
    response = get("lab", {"n": "0", "alpha": "x", "delta": "7"})
    page = response.content.decode()
    assert response.status_code == 422 and page.count('class="error"') == 3
    summary = page[page.index('role="alert"') : page.index("<form")]
    assert re.findall(r'href="#id_(\w+)"', summary) == ["n", "alpha", "delta"]
    assert page.count('name="delta"') == 1, "it is a field here, and not carried hidden too"


def test_a_round_share_has_no_zeros_at_its_end_in_any_language():
    for language, words in {"en": "true share of 30%", "de": "wahren Anteil von 30 %", "ar": "30%"}.items():
        text = text_of(get("lab", {"shares": "30"}, accept_language=language))
        assert words in text and "30,0" not in text and "30, %" not in text, language


def test_shares_are_one_or_one_for_each_option():
    assert numbers({"d": "4", "shares": "40"}).shares == pytest.approx((0.4, 0.2, 0.2, 0.2))
    assert numbers({"d": "3", "shares": "20; 50,30"}).shares == (0.2, 0.5, 0.3)
    form = read({"d": "3", "shares": "20, 50, 31"})
    assert form.errors["shares"] == ["The shares must add up to 100. These add up to 101."]
    assert read({"d": "3", "shares": "20, 80"}).errors["shares"] == [
        "Give one share, or one for each of the 3 options. These are 2."
    ]


def test_shares_have_decimals_as_the_pages_language_writes_them():
    with override("de"):
        assert numbers({"d": "2", "shares": "95,5"}).shares == (0.955, pytest.approx(0.045))
        assert numbers({"d": "3", "shares": "20,5; 49,5; 30 %"}).shares == (0.205, 0.495, 0.3)
        assert numbers({"d": "3", "shares": "20,50,30"}).shares == (0.2, 0.5, 0.3)
        assert numbers({"n": "2.000", "alpha": "0,5", "confidence": "99 %"})[:2] == (2000, 0.5)
    assert numbers({"d": "2", "shares": "95,5"}).shares == (0.95, 0.05)


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_shares_can_be_typed_with_the_arabic_marks(language):
    with override(language):
        for typed in ("20\u061b 50\u061b 30", "20\u060c 50\u060c 30", "20\u060c50\u060c30", "٢٠\u060c ٥٠\u060c ٣٠"):
            assert numbers({"d": "3", "shares": typed}).shares == (0.2, 0.5, 0.3)
        assert numbers({"d": "2", "shares": "٩٥\u060c٥"}).shares == (0.955, pytest.approx(0.045))


def test_hostile_texts_stay_texts():
    response = get("lab", {"shares": '"><script>alert(1)</script>', "unknown": "<b>"})
    assert response.status_code == 422 and b"<script>alert" not in response.content
    assert b"&lt;script&gt;" in response.content and b"<b>" not in response.content


# The URL --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROOMS)
def test_links_and_the_form_carry_all_that_was_chosen(name):
    page = get(name, CHOSEN).content.decode()
    tabs = page[page.index('class="tabs"') : page.index("<form")]
    for link in re.findall(r'href="([^"]+)"', tabs):
        query = dict(re.findall(r"(\w+)=([^&]+)", unescape(link)))
        assert query == CHOSEN
    form = page[page.index("<form") : page.index("</form>")]
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    assert {key: sent.get(key, DEFAULTS[key]) for key in DEFAULTS} == DEFAULTS | CHOSEN
    steps = form[form.index('class="steps"') :]
    for link in re.findall(r'href="[^"?]*\?([^"]*)"', steps):
        query = dict(re.findall(r"(\w+)=([^&]+)", unescape(link)))
        moved = {key for key in DEFAULTS if query.get(key, DEFAULTS[key]) != (DEFAULTS | CHOSEN)[key]}
        assert len(moved) <= 1


def test_what_is_default_does_not_stand_in_the_address():
    page = get("lab", dict(DEFAULTS)).content.decode()
    assert f'href="{reverse("lab-mean")}"' in page


def test_pages_are_made_once_named_by_their_content_and_set_no_cookie():
    first = get("lab", CHOSEN)
    assert first.status_code == 200 and "Set-Cookie" not in first and not first.cookies
    assert "private" in first["Cache-Control"] and "no-cache" in first["Cache-Control"]
    before = views._page.cache_info().misses
    again = get("lab", CHOSEN, **{"If-None-Match": first["ETag"]})
    assert again.status_code == 304 and views._page.cache_info().misses == before
    assert get("lab", CHOSEN | {"n": "401"})["ETag"] != first["ETag"]
    assert "no-cache" in get("lab", {"n": "0"})["Cache-Control"]


def test_someone_signed_in_gets_a_page_of_their_own(admin_client):
    assert b'href="/surveys/"' in admin_client.get(reverse("lab")).content
    assert b'href="/surveys/"' not in get("lab").content


def test_the_site_leads_to_the_lab():
    assert f'href="{reverse("lab")}"' in Client().get("/").content.decode()


# The formulas ---------------------------------------------------------------------------------------------------------


def test_every_figure_is_on_one_page_and_its_formula_one_click_away():
    mathematics = get("lab-mathematics").content.decode()
    shown = [figure for room in ROOMS.values() for figure in room.figures]
    assert sorted(shown) == sorted(FIGURES)
    for name, room in ROOMS.items():
        page = get(name).content.decode()
        for figure in room.figures:
            assert f"/lab/figures/{figure}-light-wide.svg" in page
            for formula in FIGURES[figure].formulas:
                anchor = markdown.anchor(formula.heading)
                assert f"{reverse('lab-mathematics')}#{anchor}" in page
                assert f'id="{anchor}"' in mathematics
                for number in formula.number.split(", "):
                    assert re.search(rf"\b{number}\b", mathematics), number


def test_the_formulas_are_the_documents_with_nothing_of_markdown_left():
    source = (settings.BASE_DIR / "docs" / "mathematics.md").read_text(encoding="utf-8")
    page = get("lab-mathematics").content.decode()
    article = page[page.index("<article") : page.index("</article>")]
    words = re.findall(r"\w+", source.partition("\n")[2])
    assert re.findall(r"\w+", unescape(re.sub(r"<[^>]+>", "", article))) == words
    without_code = re.sub(r"<code>.*?</code>", "", article, flags=re.DOTALL)
    assert not re.findall(r"`|\*\*|^#|\]\(", without_code, re.MULTILINE)
    assert article.count("<h2") == len(re.findall(r"^## ", source, re.MULTILINE))
    assert article.count("<pre") > 3 and 'id="m12"' in article


def test_markdown_is_escaped():
    paragraph = "**M1. X<y.** *a<b* `<i>` [text](../x.py) 2 * 3 R*/n"
    html, headings = markdown.html(f"## A <b> & c\n\n{paragraph}\n\n    p < q\n    r")
    assert html == (
        '<details class="fold" id="a-b-c-fold"><summary><h2 id="a-b-c">A &lt;b&gt; &amp; c</h2></summary>\n'
        '<p id="m1"><strong>M1. X&lt;y.</strong> <em>a&lt;b</em> <code>&lt;i&gt;</code> text 2 * 3 R*/n</p>\n'
        '<pre tabindex="0"><code>p &lt; q\nr</code></pre>\n</details>\n'
    )
    assert [heading.level for heading in headings] == [2]


# Limits of a request --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("query", [*HARDEST, LEAST], ids=["all at the end", "many", "rare", "one"])
def test_no_choice_of_numbers_costs_much(query):
    """The limit is in seconds of processor time, so other work does not count. Every page has all its charts."""
    for name in ROOMS:
        began = time.process_time()
        assert get(name, query).status_code == 200
        assert time.process_time() - began < SECONDS, name


def test_a_page_does_not_load_matplotlib():
    code = (
        "import django; django.setup(); from django.test import Client; import sys; "
        "assert Client().get('/lab/mean/', headers={'host': '127.0.0.1'}).status_code == 200; "
        "sys.exit('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
