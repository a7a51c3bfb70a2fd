"""Groups of people: forecast, merged and counted in a list before opening; invited with one list."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from surveys.designer.studio.grouped_lists import in_groups, sizes
from surveys.life.lifecycle import begin_draft, open_survey
from surveys.models import Survey
from surveys.respondent.invitations import book, counts, letters
from surveys.respondent.invitations.addresses import NoGroup, Twice, UnreadLines
from surveys.respondent.page.links import token_of
from tests.support.factories import DRAFT
from tests.support.invitations import INVITED, group_of
from tests.support.life import page, press, text

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = [{"name": "Sales", "people": 300}, {"name": "Works", "people": 30}]
LISTED = "".join(f"person{k}@example.org,{'Sales' if k % 2 else 'works'}\n" for k in range(50))


@pytest.fixture(autouse=True)
def file(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"


@pytest.fixture
def opened(ada):
    survey = begin_draft(ada, INVITED | {"groups": SIZES})
    open_survey(survey)
    return survey


def stored(survey: Survey) -> object:
    return Survey.objects.get(pk=survey.pk).draft.get("groups")


# Before opening -------------------------------------------------------------------------------------------------------


def test_typed_groups_are_stored_with_their_people_and_make_the_survey_one_by_invitation(client, draft):
    assert "Also publish results of groups, such as departments" in text(page(client, draft, "alpha/"))
    press(client, draft, "invitations/groups/", groups="Sales; 300\r\n\r\n Works : 30 \r\nRoom 12", listed="")
    assert stored(draft) == [*SIZES, {"name": "Room 12"}]
    assert Survey.objects.get(pk=draft.pk).draft["invitations"] is True
    assert "Sales (300), Works (30), Room 12" in text(page(client, draft, "alpha/"))
    assert ">\nSales; 300\nWorks; 30\nRoom 12</textarea>" in page(client, draft, "invitations/groups/").content.decode()
    press(client, draft, "invitations/groups/", groups="", listed="")
    assert stored(draft) is None


def test_the_page_says_of_each_group_whether_when_and_how_exactly_its_results_are_shown(ada, client):
    every = [*SIZES, {"name": "Legal", "people": 12}, {"name": "Others"}]
    survey = begin_draft(ada, INVITED | {"groups": every})  # 1,000 people are assumed
    shown = text(page(client, survey, "invitations/groups/"))
    assert "Sales 300 from 200 to 300 reports on, or at the end ±" in shown
    assert "Works 30 at the end, if at least 20 of them answer ±" in shown
    assert "Legal 12 never: it takes 20 reports no result" in shown
    assert "Others about 658 from 200" in shown, "an equal part of what is left"


def test_a_group_of_unknown_size_for_which_no_one_is_left_can_be_shown_and_opened(ada, client):
    survey = begin_draft(ada, INVITED | {"groups": [{"name": "Sales", "people": 1000}, {"name": "Others"}]})
    shown = text(page(client, survey, "invitations/groups/"))
    assert "Others not known from 200 to 300 reports on, or at the end" in shown
    assert "never" not in shown and "cannot be opened" not in shown
    assert "Open the survey" in text(page(client, survey, "open/"))


def test_a_group_that_can_never_be_shown_keeps_the_survey_from_opening_until_it_is_shown_with_another(ada, client):
    survey = begin_draft(ada, INVITED | {"groups": [*SIZES, {"name": "Legal", "people": 12}]})
    shown = text(page(client, survey, "open/"))
    assert "since nothing is shown of a group with fewer reports" in shown and "Open the survey" not in shown
    assert f'href="/surveys/{survey.pk}/invitations/groups/"' in page(client, survey, "open/").content.decode()
    shown = page(client, survey, "invitations/groups/").content.decode()
    assert (
        'value="Legal" checked' in shown and 'value="Works" checked' in shown and 'value="Sales" checked' not in shown
    )
    typed = "Sales; 300\nWorks; 30\nLegal; 12"
    press(client, survey, "invitations/groups/", groups=typed, listed="", ticked=["Works", "Legal"], together="1")
    assert stored(survey) == [{"name": "Sales", "people": 300}, {"name": "Works + Legal", "people": 42}]
    assert "Open the survey" in text(page(client, survey, "open/"))


def test_groups_that_together_are_everyone_are_none_so_that_the_survey_can_be_opened(ada, client):
    survey = begin_draft(ada, INVITED | {"groups": [SIZES[0], {"name": "Legal", "people": 8}]})
    typed = {"groups": "Sales; 300\nLegal; 8", "listed": "", "ticked": ["Sales", "Legal"], "together": "1"}
    assert press(client, survey, "invitations/groups/", **typed).status_code == 302 and stored(survey) is None
    assert "Open the survey" in text(page(client, survey, "open/"))


def test_ticked_groups_whose_name_together_is_too_long_are_refused_beside_their_field(ada, client):
    survey = begin_draft(ada, INVITED | {"groups": SIZES})
    names = [letter * 50 for letter in "abc"]
    typed = {"groups": "; 30\n".join([*names, ""]), "listed": "", "ticked": names[:2], "together": "1"}
    response = press(client, survey, "invitations/groups/", **typed)
    assert response.status_code == 422 and stored(survey) == SIZES
    assert "is one group, but its name has more than 80 characters. Use shorter names." in text(response)


def test_more_than_twenty_groups_are_stored_once_those_too_small_are_one(client, draft):
    typed = "".join(f"G{k}; {30 if k < 10 else 5}\n" for k in range(22))
    press(client, draft, "invitations/groups/", groups=typed, listed="")
    assert stored(draft)[-1] == {"name": " + ".join(f"G{k}" for k in range(10, 22)), "people": 60}
    assert len(stored(draft)) == 11


def test_arabic_marks_and_digits_are_read_as_a_name_and_its_people(client, draft):
    press(client, draft, "invitations/groups/", groups="قسم؛ ٤٠\n销售；30", listed="")
    assert stored(draft) == [{"name": "قسم", "people": 40}, {"name": "销售", "people": 30}]


def test_a_list_of_people_declares_the_groups_and_is_not_stored(client, draft):
    press(client, draft, "invitations/groups/", groups="Sales; 1", listed=LISTED)
    assert stored(draft) == [{"name": "works", "people": 25}, {"name": "Sales", "people": 25}]
    assert "example.org" not in str(Survey.objects.get(pk=draft.pk).__dict__)
    upload = SimpleUploadedFile("people.csv", f"Mail,Department\n{LISTED}".encode("utf-8-sig"))
    press(client, draft, "invitations/groups/", groups="", listed="", file=upload)
    assert stored(draft) == [{"name": "works", "people": 25}, {"name": "Sales", "people": 25}]


def test_all_wrong_lines_are_named_at_once_and_nothing_typed_is_lost(client, draft):
    listed = "a@b.org,Sales\nb@b.org\nA@b.org,Sales\n"
    upload = SimpleUploadedFile("people.csv", listed.encode())
    for fields in ({"listed": listed}, {"listed": "", "file": upload}):
        response = press(client, draft, "invitations/groups/", groups="Sales; many\nWorks; 30\nWorks; 31", **fields)
        shown = text(response)
        assert response.status_code == 422 and stored(draft) is None
        assert "Line 1: the number of people must be a whole number." in shown
        assert "Line 3: this group is there twice." in shown
        assert "Line 2 names no group in its last column." in shown
        assert "Line 3: “A@b.org” is also in line 1." in shown
        for lost in (listed, "Sales; many\nWorks; 30\nWorks; 31"):
            assert lost in response.content.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ("a,X\nb,X\nc,Y\nd,Y", {"X": 2, "Y": 2}),
        ("Name;Mail;Group\nAda;a@b.org;X\nBob;b@b.org;X", {"X": 2}),
        ('a\t"Sales, EMEA"\nb\tSales, EMEA\nc\tY\n', {"Sales, EMEA": 2, "Y": 1}),
        ("a@b.org,X,,\nb@b.org,X,,", {"X": 2}),
        ('"B, Ada" <a@b.org>,X\n"C, Bob" <b@b.org>,X', {"X": 2}),
        ("a@b.org,Slaes\nb@b.org,Sales\nc@b.org,Sales", {"Slaes": 1, "Sales": 2}),
        ("a@b.org،المبيعات\nb@b.org، المبيعات\nc@b.org؛المخزن", {"المبيعات": 2, "المخزن": 1}),
        ("a@b.org，销售\nb@b.org；销售", {"销售": 2}),
    ],
)
def test_the_last_column_of_a_list_names_the_groups_below_a_heading(listed, expected):
    assert sizes(listed) == expected


def test_a_list_goes_into_groups_that_are_shown_together_by_the_name_of_either():
    names = ["Sales + Legal", "Works"]
    placed = in_groups("Mail,Group\na@b.org,Legal\nb@b.org,works\nc@b.org,sales + legal", names)
    assert [(row.number, group) for row, group in placed] == [(2, "Sales + Legal"), (3, "Works"), (4, "Sales + Legal")]
    with pytest.raises(UnreadLines) as refusal:
        in_groups("a@b.org,Legal\nb@b.org,Wroks\nc@b.org", names)
    assert [(type(error), error.line) for error in refusal.value.errors] == [(NoGroup, 2), (NoGroup, 3)]


@pytest.mark.parametrize("first", ["a@b.org;Slaes", "Slaes;a@b.org", "Ada <a@b.org>"])
def test_a_first_line_with_an_address_is_no_heading(first):
    with pytest.raises(UnreadLines) as refusal:
        in_groups(f"{first}\nb@b.org;Sales", ["Sales"])
    assert [(type(error), error.line) for error in refusal.value.errors] == [(NoGroup, 1)]


def test_an_empty_list_and_a_person_twice_are_refused():
    for listed in ("", "\n"):
        with pytest.raises(UnreadLines):
            sizes(listed)
    with pytest.raises(UnreadLines) as refusal:
        sizes("a,X\nb,X\nA,X")
    assert [type(error) for error in refusal.value.errors] == [Twice]


# After opening --------------------------------------------------------------------------------------------------------


def rows(response):
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def test_one_list_invites_everyone_into_their_group(client, opened):
    links = rows(press(client, opened, "invitations/new/", listed=LISTED, group="", format="csv"))
    assert [row["person"] for row in links] == [f"person{k}@example.org" for k in range(50)]
    assert [group_of(token_of(row["link"])) for row in links] == [1, 0] * 25
    assert {group.name: group.invited for group in counts.groups(opened.digest)} == {"Sales": 25, "Works": 25}


def test_one_list_sends_everyone_the_link_of_their_group(client, opened, settings):
    settings.EMAIL_HOST = "127.0.0.1"
    words = {"subject": "Come", "text": "Here: {link}", "keeps": "forget"}
    upload = SimpleUploadedFile("people.csv", f"Mail,Department\n{LISTED}".encode())
    assert (
        press(client, opened, "invitations/mail/new/", addresses="", file=upload, group="", **words).status_code == 302
    )
    sent = [letters.begin(digest, place) for digest, place, _ in letters.waiting(99)]
    assert {letter.address: group_of(letter.token) for letter in sent} == {
        f"person{k}@example.org": 1 - k % 2 for k in range(50)
    }


def test_where_a_line_is_refused_no_one_is_invited_and_the_list_of_groups_stays_a_list(client, opened, settings):
    settings.EMAIL_HOST = "127.0.0.1"
    wrong = f"{LISTED}nobody,Sales\nx@example.org,Sleas\n"
    words = {"subject": "Come", "text": "Here: {link}", "keeps": "forget"}
    for address, field in (("invitations/new/", "listed"), ("invitations/mail/new/", "addresses")):
        response = press(client, opened, address, **{field: wrong, "group": "", "format": "csv"}, **words)
        shown = response.content.decode()
        assert response.status_code == 422 and "Line 52: “Sleas” is not one of the groups." in text(response)
        assert '<select name="group"' in shown and '<option value="Works">' in shown and "nobody,Sales" in shown
    assert book.invited(opened.digest) == 0


def test_a_number_of_people_needs_a_group_that_is_chosen_and_begins_with_twenty(client, opened):
    for group, count, rule in (
        ("", 30, "Choose the group of these people"),
        ("Others", 30, "Select a valid choice"),
        ("Works", 19, "“Works”: a new group needs at least 20 people"),
    ):
        response = press(client, opened, "invitations/new/", count=count, group=group, format="csv")
        assert response.status_code == 422 and rule in text(response)
    links = rows(press(client, opened, "invitations/new/", count=30, group="Works", format="csv"))
    assert {group_of(token_of(row["link"])) for row in links} == {1} and len(links) == 30


def test_a_survey_without_groups_has_no_page_of_groups_once_it_is_open(client, opened):
    assert page(client, opened, "invitations/groups/").status_code == 404
    assert DRAFT.get("groups") is None


def test_with_too_few_people_for_earlier_results_the_pages_name_only_the_end(client, opened):
    before = {address: text(page(client, opened, address)) for address in ("", "progress/")}
    assert all("200" in shown for shown in before.values())
    press(client, opened, "invitations/new/", listed=LISTED, group="", format="csv")
    overview, progress = (text(page(client, opened, address)) for address in ("", "progress/"))
    assert "Its results appear at its end, of each group with at least 20." in overview and "200" not in overview
    assert "With the people invited so far, results appear only at its end." in progress and "200" not in progress
    press(client, opened, "invitations/new/", count=150, group="Sales", format="csv")
    assert "when 200 people of one group" in text(page(client, opened, ""))
