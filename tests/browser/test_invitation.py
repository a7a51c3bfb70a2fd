"""A survey by invitation on the page. A person sends one report, whose signature was made without seeing it (P13),
at every interruption between the first click and the receipt."""

import hashlib
import json
import re

import pytest

from surveys.respondent.invitations import blind
from surveys.survey import definition as definitions
from tests.support.accessibility import violations
from tests.support.invitations import UNKNOWN, group_of, in_group, named
from tests.support.invited_page import (
    Signatures,
    invitations,
    invited_survey,
    loses_the_signature,
    says,
    signed_by,
    text,
    to_another,
    verifies,
    with_other,
)
from tests.support.respondents import DRAFT, Visit, Wire, answers, finds_no_network, stored_rows

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

LATER = re.compile("^Send my report 10 to 180 minutes later")


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return invited_survey(system, tmp_path_factory.mktemp("invited"))


@pytest.fixture(scope="module")
def invited(system, survey):
    return invitations(system, survey)


@pytest.fixture
def signatures(context):
    return Signatures(context)


@pytest.fixture
def visit(page, invited, signatures):
    """Return a visit of an invited person who has answered."""
    return Visit(page, next(invited)).load().answer()


@pytest.fixture
def offline(visit, signatures):
    """Return a visit after "Send". No request for a signature arrives until a test changes that."""
    signatures.then(*[finds_no_network] * 100)
    visit.send().sees("Not sent yet.")
    return visit


def later(visit):
    """Return the same visit, with the report to be sent later."""
    visit.page.get_by_role("checkbox", name=LATER).check()
    visit.send().sees("Your report waits")
    return visit


def reopened(visit):
    """Return a visit after the person closed the tab and opened the link again."""
    page = visit.page.context.new_page()
    visit.page.close()
    return Visit(page, visit.survey).load()


def token_of(survey):
    return survey.page.rpartition("/")[2]


def mark_of(survey):
    return text(hashlib.sha256(token_of(survey).encode()).digest()[:8])


def test_send_sends_one_report_with_its_signature(visit, signatures, survey, system):
    assert visit.posts == [], "the invitation is not used before"
    visit.send().is_thanked()
    (wish,), report = signatures.bodies, visit.shown_report
    assert visit.posts == [wish, report] and verifies(survey, report)
    assert len(stored_rows(system, report)) == 1
    asked = json.loads(wish)
    assert asked["token"] == token_of(visit.survey) and not any(value in report for value in asked.values())
    visit.page.get_by_text("What left your browser", exact=True).click()
    visit.sees("A signature was sent with it, at the end.")
    receipt = {"slug": survey.slug, "digest": survey.digest, "outcome": "recorded"}
    assert visit.stored == [receipt | {"used": mark_of(visit.survey)}]


def test_a_link_that_was_used_here_says_so_and_another_does_not_claim_to_know(visit, invited):
    visit.send().is_thanked()
    again = reopened(visit)
    assert again.heading == "This link was used on this device" and not again.is_asking
    again.sees("Another person needs a link of their own.")
    assert again.page.get_by_role("button", name="Another person").count() == 0 and violations(again.page) == []
    other = Visit(again.page, next(invited)).load()
    assert other.heading == "Someone has already answered this survey in this browser"
    other.press("Another person wants to answer on this device").press("Yes, another person answers now")
    other.sees("0 of 5 answered")


def test_before_the_signature_the_report_is_kept_with_all_that_gets_it(offline, signatures):
    (record,) = offline.stored
    assert record.keys() == {"slug", "digest", "body", "token", "blinded", "inverse", "due"} and record["due"] == 0
    signatures.then()
    again = reopened(offline).is_thanked()
    assert [json.loads(body) for body in signatures.bodies][-1] == {key: record[key] for key in ("token", "blinded")}
    assert again.shown_report.startswith(record["body"][:-1] + ',"signature":"')


def test_what_is_not_sent_yet_says_so_in_the_title_and_on_leaving(page, invited, signatures):
    visit = Visit(page, next(invited)).load()
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))

    def leaves():
        asked.clear()
        page.reload()
        page.locator("#promise, #outcome").wait_for()
        return asked == ["beforeunload"]

    assert page.title() == "Work & <i>marriage</i>" and not leaves()
    visit.answer(affair=0)
    assert page.title() == "Not sent: Work & <i>marriage</i>" and leaves()
    assert page.title() == "Work & <i>marriage</i>"
    signatures.then(*[finds_no_network] * 100)
    visit.answer().send().sees("Not sent yet.")
    assert page.title() == "Not sent: Work & <i>marriage</i>"
    page.get_by_role("heading", name="Sending your report").click()  # browsers ask only after a click
    assert leaves()
    signatures.then()
    visit.is_thanked()
    assert page.title() == "Work & <i>marriage</i>" and not leaves()


def test_without_an_invitation_it_says_so_before_the_first_question(page, survey, invited):
    for more in ("", "/en", "/abc", "/" + "a" * 26, "/en/" + "a" * 29):
        visit = Visit(page, survey._replace(page=survey.page + more)).load()
        assert visit.heading == "This survey is by invitation" and not visit.is_asking, more
        visit.sees("Please open the link that you were sent")
    other = Visit(page.context.new_page(), next(invited)).load()
    assert other.heading != "This survey is open in another tab"
    other.sees("0 of 5 answered")


def test_an_invitation_that_was_taken_back_is_heard_of_before_the_first_question(page, survey, invited, system):
    gone = next(invited)
    system.manage("shell", "-c", TAKE_BACK.format(digest=survey.digest, token=token_of(gone)))
    visit = Visit(page, gone).load()
    assert visit.heading == "This invitation is no longer valid" and not visit.is_asking
    visit.sees("Please ask the person who invited you for a new link.")
    (asked,) = (made for made in visit.requests if made.url.endswith("/respond/invitations"))
    said = " ".join([asked.url, *asked.all_headers().values()])
    assert asked.response().json() == {"revoked": [mark_of(gone)], "seconds": None}
    assert token_of(gone) not in said and visit.posts == [], "who asks says nothing of their own"
    assert Visit(page.context.new_page(), next(invited)).load().heading != visit.heading


TAKE_BACK = "from surveys.respondent.invitations import book; assert book.take_back({digest!r}, {token!r})"
END = """
from datetime import timedelta
from django.utils import timezone
from surveys.models import Survey
Survey.objects.filter(slug={slug!r}).update(closes_at=timezone.now() + timedelta(minutes={minutes}))
"""


def test_a_report_is_never_to_be_sent_later_than_its_survey_ends(page, system, tmp_path):
    survey = invited_survey(system, tmp_path)
    links = invitations(system, survey, 3)
    system.manage("shell", "-c", END.format(slug=survey.slug, minutes=60))
    visit = Visit(page, next(links)).load().answer()
    page.get_by_role("checkbox", name="Send my report 10 to 49 minutes later").check()
    visit.send().sees("Your report waits")
    (record,) = visit.stored
    assert record["due"] < visit.page.evaluate("Date.now()") + 50 * 60_000
    system.manage("shell", "-c", END.format(slug=survey.slug, minutes=10))
    reopened(visit).is_thanked()  # with an earlier end it would come too late
    with page.context.browser.new_context() as context:
        late = Visit(context.new_page(), next(links)).load().answer()
        assert late.page.get_by_role("checkbox").count() == 0
        late.send().is_thanked()


def test_a_report_whose_signature_comes_late_waits_from_then_on(visit, signatures):
    """Otherwise the report would follow its signature at once."""
    page = unsigned(visit, signatures)
    page.clock.install(time=page.evaluate("Date.now()") / 1000 + 4 * 3600)
    again = Visit(page, visit.survey).load()
    again.sees("Your report waits")
    (record,) = again.stored
    assert 9 < (record["due"] - page.evaluate("Date.now()")) / 60_000 < 181


def test_it_waits_as_far_as_the_survey_leaves_time(page, system, tmp_path, signatures):
    survey = invited_survey(system, tmp_path)
    visit = Visit(page, next(invitations(system, survey))).load().answer()
    opened = unsigned(visit, signatures)
    system.manage("shell", "-c", END.format(slug=survey.slug, minutes=20))
    now = opened.evaluate("Date.now()")
    opened.clock.set_fixed_time(now / 1000)
    again = Visit(opened, visit.survey).load()
    again.sees("Your report waits")
    (record,) = again.stored
    assert 0 < record["due"] - now < 10 * 60_000


def unsigned(visit, signatures):
    """Return a tab in which the survey is opened again. A report to be sent later has no signature yet."""
    signatures.then(*[finds_no_network] * 100)
    visit.page.get_by_role("checkbox", name=LATER).check()
    visit.send().sees("Not sent yet.")
    page = visit.page.context.new_page()
    visit.page.close()
    signatures.then()
    return page


def test_where_no_one_tells_of_invitations_the_page_asks_all_the_same(page, invited):
    page.route("**/respond/invitations", lambda route: route.abort())
    Visit(page, next(invited)).load().answer().send().is_thanked()


@pytest.fixture(scope="module")
def asking(browser, invited):
    """Yield a visit before the first question. Tests only read it."""
    with browser.new_context() as context:
        yield Visit(context.new_page(), next(invited)).load()


def test_what_an_invitation_gives_is_said_before_the_first_question(asking):
    asking.page.get_by_text("How are you protected?").click()
    asking.sees("The server signs that report without seeing it, and the signature lets it in.")
    asking.sees("If someone has already used your invitation, the page learns that only after your last answer.")
    assert asking.posts == []


def test_where_the_part_for_invitations_is_altered_nothing_is_asked(page, invited):
    def altered(route):
        headers = {"content-type": "text/javascript", "cache-control": "no-store"}
        route.fulfill(body=route.fetch().body() + b" ", headers=headers)

    page.route("**/invitation.js", altered)
    visit = Visit(page, next(invited)).load()
    assert visit.heading == "A part of this page is missing" and not visit.is_asking
    page.unroute("**/invitation.js")
    visit.press("Try again").sees("0 of 5 answered")


EARLY = """
import json
from datetime import timedelta
from django.utils import timezone
from surveys.life.lifecycle import Terms, create_draft, open_survey
survey = create_draft(json.loads({draft!r}))
open_survey(survey, terms=Terms(opens_at=timezone.now() + timedelta(hours=1)))
print("early", survey.slug)
"""


@pytest.fixture(scope="module")
def links(system, survey, invited, tmp_path_factory, browser):
    """Return the links to each refusal: a used invitation, a survey that has not begun, a survey that is over."""
    used = next(invited)
    with browser.new_context() as context:
        Visit(context.new_page(), used).load().answer().send().is_thanked()
    early = system.manage("shell", "-c", EARLY.format(draft=json.dumps(DRAFT | {"invitations": True})))
    closed = invited_survey(system, tmp_path_factory.mktemp("closed"))
    system.manage("survey", "close", "--", closed.slug)
    return {"used": token_of(used), "early": early.partition("early ")[2].strip(), "closed": closed.slug}


REFUSALS = (
    (lambda _: with_other(token=UNKNOWN), "Your link was used before, perhaps by you on another device"),
    (lambda links: with_other(token=links["used"]), "or it is damaged. The server does not say which"),
    (lambda links: to_another(links["early"]), "The survey has not begun."),
    (lambda _: to_another("nobody-has-it"), "This survey no longer exists."),
    (lambda links: to_another(links["closed"]), "The survey has closed."),
    (lambda _: with_other(blinded="A"), "or it is damaged."),
)


def test_a_refused_invitation_is_said_and_the_report_is_deleted_unsent(visit, signatures, links):
    for number, (step, words) in enumerate(REFUSALS, 1):
        signatures.then(step(links))
        visit.send().sees(words)
        assert visit.heading == "Your report was not sent" and visit.stored == [] and visit.listed == []
        assert len(visit.posts) == 1 and len(signatures.bodies) == number
        visit = reopened(visit)
        visit.sees("0 of 5 answered")
        visit.answer()


BUSY, TROUBLE = "The server is busy and asked for a pause.", "The server has a problem at the moment."
MISHAPS = (
    (finds_no_network, "The network or the server cannot be reached.", "1 second."),
    (answers(429), BUSY, "2 seconds."),
    (answers(503), TROUBLE, "4 seconds."),
    # Another server on the way says this, not the site's.
    (answers(403), TROUBLE, "8 seconds."),
    (answers(404), TROUBLE, "16 seconds."),
    (answers(409), TROUBLE, "32 seconds."),
    (answers(200), TROUBLE, "60 seconds."),
)


def test_anything_else_is_tried_again_with_the_same_blinded_message(visit, signatures):
    signatures.then(*(step for step, *_ in MISHAPS))
    visit.stop_clock().send()
    for _, words, pause in MISHAPS:
        visit.sees(f"Not sent yet. {words} The page tries again in {pause}")
        visit.press("Try again now")
    visit.is_thanked()
    assert len(signatures.bodies) == len(MISHAPS) + 1 and len(set(signatures.bodies)) == 1
    assert len(visit.posts) == len(MISHAPS) + 2


def test_a_browser_that_dies_between_use_and_signature_gets_it_afterwards(visit, signatures, system):
    signatures.then(loses_the_signature, answers(503, retry_after="60"))
    visit.send().sees("The page tries again in 60 seconds.")
    (record,) = visit.stored
    assert record["due"] == 0 and record["token"] == token_of(visit.survey)
    again = reopened(visit).is_thanked()
    assert len(set(signatures.bodies)) == 1
    assert again.shown_report.startswith(record["body"][:-1])
    assert len(stored_rows(system, again.shown_report)) == 1
    assert [each.get("outcome") for each in again.stored] == ["recorded"]


def test_a_browser_that_dies_between_signature_and_report_sends_the_same_bytes(visit, signatures, system):
    wire = Wire(visit.page.context, answers(503, retry_after="60"))
    visit.send().sees("Not sent yet.")
    (record,) = visit.stored
    assert record.keys() == {"slug", "digest", "body", "due", "used"}, "the invitation is forgotten"
    again = reopened(visit).is_thanked()
    assert again.shown_report == record["body"] and set(wire.bodies) == {record["body"].encode()}
    assert len(stored_rows(system, record["body"])) == len(signatures.bodies) == 1


# Signatures by another key and of nothing; too large; too short; markup; null.
WRONG = (signed_by(blind.new_key()), *map(says, ("A" * 342, "_" * 341 + "w", "A" * 338, '", "whose": "', None)))


def test_a_wrong_signature_is_not_sent(visit, signatures, survey):
    signatures.then(*WRONG)
    for number, button in enumerate(("Send my randomized answers", *["Try again"] * (len(WRONG) - 1)), 1):
        with visit.page.expect_response("**/respond/signature"):
            visit.press(button)
        visit.sees("The server's signature is wrong")
        assert len(visit.posts) == number
    visit.press("Try again").is_thanked()
    assert len(visit.posts) == len(WRONG) + 2 and verifies(survey, visit.shown_report)


def test_a_report_can_be_sent_some_time_after_the_invitation(visit, signatures, system):
    before = visit.page.evaluate("Date.now()")
    later(visit)
    (record,) = visit.stored
    minutes = (record["due"] - before) / 60_000
    assert 10 <= minutes <= 181
    assert visit.posts == signatures.bodies and len(signatures.bodies) == 1 and "token" not in record
    page = visit.page.context.new_page()
    page.clock.install()
    visit.page.close()
    again = Visit(page, visit.survey).load()
    again.sees("Your report waits")
    page.clock.fast_forward(int(record["due"] - page.evaluate("Date.now()")) - 30_000)
    assert again.posts == [] and again.heading == "Your report waits"
    page.clock.fast_forward(60_000)
    again.is_thanked()
    assert again.posts == [record["body"]] and len(stored_rows(system, record["body"])) == 1


def test_a_report_that_became_due_while_the_page_was_closed_is_sent_when_it_opens(visit, system):
    (record,) = later(visit).stored
    page = visit.page.context.new_page()
    page.clock.install(time=record["due"] / 1000 + 1)
    visit.page.close()
    assert Visit(page, visit.survey).load().is_thanked().posts == [record["body"]]


def test_everything_that_an_invitation_adds_can_be_used_by_everyone(visit, signatures):
    visit.page.get_by_role("checkbox", name=LATER).check()
    assert violations(visit.page) == [], "the choice"
    signatures.then(says("A" * 342))
    visit.send().sees("The server's signature is wrong")
    assert violations(visit.page) == [], "wrong"
    visit.press("Try again").sees("Your report waits")
    assert violations(visit.page) == [], "waiting"


def test_delays_are_spread_over_the_whole_time(asking):
    """All of 200 delays are below 100 minutes, or all above 90, by chance once in 10^48 runs."""
    minutes = asking.page.evaluate(
        """async () => {
          const { atRandom } = await import("/respond/invitation.js");
          return Array.from({ length: 200 }, () => (atRandom(10, 180) - Date.now()) / 60000);
        }"""
    )
    assert 9.9 < min(minutes) < 90 and 100 < max(minutes) < 180.1


def test_two_tabs_with_the_same_report_send_it_once(visit, signatures):
    other = Visit(later(visit).page.context.new_page(), visit.survey).load()
    assert other.heading == "Your report waits"
    visit.page.bring_to_front()
    visit.press("Send it now").is_thanked()
    other.page.bring_to_front()
    other.press("Send it now").is_thanked()
    assert len(signatures.bodies) == 1 and len(set(visit.posts[1:])) == 1


def test_two_tabs_that_use_an_invitation_at_the_same_moment_send_the_same_bytes(visit, signatures, system):
    wire, held = Wire(visit.page.context), []
    signatures.then(held.append, held.append)
    visit.send().sees("Sending…")
    other = Visit(visit.page.context.new_page(), visit.survey).load()
    other.sees("Sending…")
    for route in held:
        route.continue_()
    for tab in (visit, other):
        tab.page.bring_to_front()
        tab.page.locator("h2:text('Thank you'), h2:text('was used on this device')").wait_for()
    assert len(set(signatures.bodies)) == len(set(wire.bodies)) == 1
    assert len(stored_rows(system, wire.bodies[0])) == 1


def test_the_second_device_with_the_same_link_is_told(browser, visit):
    visit.send().is_thanked()
    with browser.new_context() as context:
        other = Visit(context.new_page(), visit.survey).load().answer().send()
        other.sees("Your link was used before, perhaps by you on another device")
        assert len(other.posts) == 1


def test_another_person_answers_on_the_same_device_by_a_link_of_their_own(visit, invited, signatures, system):
    first = visit.send().is_thanked().shown_report
    other = Visit(visit.page, next(invited)).load()
    other.press("Another person wants to answer on this device").press("Yes, another person answers now")
    other.answer().send().is_thanked()
    assert [len(stored_rows(system, report)) for report in (first, other.shown_report)] == [1, 1]
    assert len({json.loads(body)["token"] for body in signatures.bodies}) == 2


def test_a_browser_without_storage_asks_to_keep_the_page_open(page, invited, signatures, system):
    page.add_init_script("IDBFactory.prototype.open = () => { throw new DOMException('no', 'UnknownError'); }")
    visit = Visit(page, next(invited)).load().press("No, I have not answered yet").answer()
    signatures.then(answers(503))
    visit.send().sees("Please keep this page open: this browser does not let it keep the report.")
    visit.is_thanked()
    assert len(set(signatures.bodies)) == 1 and len(stored_rows(system, visit.shown_report)) == 1


def test_all_is_on_the_disk_before_the_invitation_is_used(page, invited):
    """A killed browser cannot show this: data that it handed to the system survives. A machine that loses power
    could."""
    page.add_init_script("""
      window.noted = [];
      const begin = IDBDatabase.prototype.transaction;
      IDBDatabase.prototype.transaction = function (...given) {
        const begun = begin.apply(this, given);
        begun.addEventListener("complete", () => { if (begun.put) noted.push(`${begun.durability}: ${begun.put}`); });
        return begun;
      };
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (record) {
        this.transaction.put = Object.keys(record).join(" ");
        return put.call(this, record);
      };
      const send = fetch;
      window.fetch = (...given) => {
        if (given[1].method === "POST") noted.push(given[0]);
        return send(...given);
      };
    """)
    Visit(page, next(invited)).load().answer().send().is_thanked()
    claimed, signed = ("strict: slug digest body " + more for more in ("token blinded inverse due", "due used"))
    steps = [claimed, "/respond/signature", signed, "/respond/reports"]
    assert page.evaluate("noted")[: len(steps)] == steps


# Pressed buttons and shown texts, in this order.
WORDS = {
    "de": (
        "Wie sind Sie geschützt?",
        "Der Server unterschreibt diese Meldung, ohne sie zu sehen",
        "Meine Meldung 10 bis 180 Minuten später senden, zu einem zufälligen Zeitpunkt",
        "Meine zufällig veränderten Antworten senden",
        "Ihre Meldung wartet",
        "Jetzt senden",
        "Vielen Dank",
    ),
    "ar": (
        "كيف تُحمى إجاباتك؟",
        "يوقّع الخادم هذا التقرير دون أن يراه",
        "إرسال تقريري لاحقًا، في وقت عشوائي بعد 10 إلى 180 دقيقة",
        "إرسال إجاباتي المُغيَّرة عشوائيًا",
        "تقريرك ينتظر",
        "إرساله الآن",
        "شكرًا لك",
    ),
}


# German is long; test_languages.py checks that its words are complete and are found.
@pytest.mark.parametrize("language", [pytest.param("de", marks=pytest.mark.long), "ar"])
def test_all_of_it_is_said_in_the_language_of_the_page_and_a_report_that_waits_can_be_sent_at_once(
    page, system, tmp_path, language
):
    question = {"key": "moved", "kind": "yes_no", "text": "?", "alpha": "1", "mechanism": "randomized_response"}
    draft = {"title": "!", "introduction": "", "language": language, "questions": [question]}
    survey = invited_survey(system, tmp_path, draft)
    folded, promise, later, send, waiting, instead, thanks = WORDS[language]
    visit = Visit(page, next(invitations(system, survey, 1))).load()
    page.get_by_text(folded).click()
    visit.sees(promise)
    page.get_by_role("radio").first.click()
    page.get_by_role("checkbox", name=later).check()
    visit.press(send).sees(waiting)
    visit.press(instead).sees(thanks)
    assert len(stored_rows(system, visit.shown_report)) == 1


# Groups ---------------------------------------------------------------------------------------------------------------

GROUPS = ["Sales", "Lager"]


@pytest.fixture(scope="module")
def in_groups(system, tmp_path_factory):
    return invited_survey(system, tmp_path_factory.mktemp("groups"), DRAFT | {"groups": named(*GROUPS)})


def test_a_person_is_told_of_which_group_the_report_says_that_it_is_and_it_says_so(page, in_groups, system, signatures):
    invited = next(invitations(system, in_groups, group="Lager"))
    assert group_of(token_of(invited)) == 1
    visit = Visit(page, invited).load()
    visit.sees("You were invited in the group “Lager”, and your report will say so.")
    page.get_by_text("How are you protected?").click()
    visit.sees("results are published for each group: “Sales”, “Lager”.")
    visit.answer().send().is_thanked()
    report = visit.shown_report
    assert json.loads(report)["group"] == 1 and verifies(in_groups, report) and len(stored_rows(system, report)) == 1
    assert [json.loads(wish).keys() for wish in signatures.bodies] == [{"token", "blinded"}]


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("de", "„Sales“, „Lager“."),
        ("fr", "« Sales », « Lager »."),
        ("ar", "«\u2068Sales\u2069»، «\u2068Lager\u2069»."),
        ("zh", "“Sales”、“Lager”。"),
    ],
)
def test_groups_are_named_with_the_marks_of_the_pages_language(page, system, tmp_path, language, names):
    draft = DRAFT | {"language": language, "groups": named(*GROUPS)}
    visit = Visit(page, next(invitations(system, invited_survey(system, tmp_path, draft), group="Lager"))).load()
    page.locator("summary").first.click()
    visit.sees(names)


def test_a_link_that_names_another_group_sends_no_report(page, in_groups, system):
    invited = next(invitations(system, in_groups, group="Lager"))
    other = in_group(token_of(invited), 0)
    visit = Visit(page, invited._replace(page=invited.page[:-28] + other)).load().answer().send()
    visit.sees("The server does not say which")
    assert all("answers" not in json.loads(body) for body in visit.posts)


def test_a_link_without_one_of_the_groups_is_not_whole(page, in_groups, system):
    invited = next(invitations(system, in_groups, group="Sales"))
    for end in ("", f"/{UNKNOWN}", f"/{in_group(token_of(invited), 2)}", f"/{token_of(invited)[:-1]}"):
        visit = Visit(page, invited._replace(page=invited.page.rpartition("/")[0] + end)).load()
        assert visit.heading in ("This survey is by invitation", "Your invitation's link was changed on its way"), end
        assert visit.posts == [], end


KEY = text(b"\xc3" + bytes(254) + b"\x01")
SHAPES = {
    "a key": ({"modulus": KEY}, True),
    "the one of drafts": ({"modulus": text(b"\xff" * 256)}, True),
    "the smallest": ({"modulus": text(b"\x80" + bytes(254) + b"\x01")}, True),
    "a bit short": ({"modulus": text(b"\x7f" + b"\xff" * 255)}, False),
    "even": ({"modulus": text(b"\xff" * 255 + b"\xfe")}, False),
    "bits left over": ({"modulus": KEY[:-1] + "R"}, False),
    "padded": ({"modulus": KEY + "=="}, False),
    "a character short": ({"modulus": KEY[:-1]}, False),
    "a character more": ({"modulus": KEY + "A"}, False),
    "base64": ({"modulus": "+" + KEY[1:]}, False),
    "a line": ({"modulus": KEY + "\n"}, False),
    "other digits": ({"modulus": "\u0663" + KEY[1:]}, False),
    "a number": ({"modulus": 1}, False),
    "another exponent": ({"modulus": KEY, "exponent": 3}, False),
    "nothing": ({}, False),
    "text": (KEY, False),
    "as in a draft": (True, False),
    "null": (None, False),
    "groups": ({"groups": [{"modulus": KEY, "name": "a"}, {"modulus": KEY, "name": "x" * 80}]}, True),
    "as many groups as can be": ({"groups": [{"modulus": KEY, "name": f"ü{k}"} for k in range(20)]}, True),
    "a group too many": ({"groups": [{"modulus": KEY, "name": f"{k}"} for k in range(21)]}, False),
    "one group": ({"groups": [{"modulus": KEY, "name": "a"}]}, False),
    "one group twice": ({"groups": [{"modulus": KEY, "name": "a"}] * 2}, False),
    "a sample": ({"modulus": KEY, "sample": True}, True),
    "groups of a sample": ({"groups": [{"modulus": KEY, "name": f"{k}"} for k in range(2)], "sample": True}, True),
    "no sample, said": ({"modulus": KEY, "sample": False}, False),
    "a sample without a key": ({"sample": True}, False),
    "groups beside a key": ({"groups": [{"modulus": KEY, "name": f"{k}"} for k in range(2)], "modulus": KEY}, False),
    **{
        f"a group called {name!r}": ({"groups": [{"modulus": KEY, "name": each} for each in ("a", name)]}, False)
        for name in ("", "x" * 81, 'a"b', "a\\b", "a\nb", "\x01", 5, None)
    },
    "a group with a short key": ({"groups": [{"modulus": KEY[:-1], "name": f"{k}"} for k in range(2)]}, False),
    "a group with more": ({"groups": [{"modulus": KEY, "name": f"{k}", "of": 1} for k in range(2)]}, False),
}


def test_page_and_server_take_keys_of_2048_bits_and_no_others(asking, survey):
    texts = [definitions.canonical(survey.definition | {"invitations": each}).decode() for each, _ in SHAPES.values()]
    problems = asking.page.evaluate(
        """async (texts) => {
          const { certify } = await import("/respond/page.js");
          const { sound } = await import("/respond/invitation.js");
          return texts.map((text) => {
            const { definition, problem } = certify(new TextEncoder().encode(text));
            return problem?.reason ?? (sound(definition) ? null : "keys");
          });
        }""",
        texts,
    )
    fits = [expected for _, expected in SHAPES.values()]
    assert [problem is None for problem in problems] == fits
    assert set(problems) == {None, "form", "keys"}
    assert [definitions.certified(text.encode()) for text in texts] == fits
