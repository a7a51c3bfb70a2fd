"""A survey by invitation at the page: one report a person, whose signature was made without seeing it (P13), whatever
happens between the first click and the receipt."""

import json

import pytest

from surveys.invitations import blind
from tests.support.invited_page import KEY, Signer, data_of, refuses, text_of
from tests.support.respondents import Visit, answers, finds_no_network, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

READY = "Your report is ready"


@pytest.fixture
def signer(context, survey):
    return Signer(context, survey)


@pytest.fixture
def visit(page, signer):
    """Somebody who was invited, has answered and pressed the button."""
    visit = Visit(page, signer.invite()).load().answer().send()
    visit.sees(READY)
    return visit


def reopened(visit):
    """Somebody who closed the tab and opens the link once more."""
    page = visit.page.context.new_page()
    visit.page.close()
    return Visit(page, visit.survey).load()


def test_an_invited_person_sends_one_report_with_its_signature(visit, signer):
    visit.press("Send now").is_thanked()
    (report,) = signer.reports
    ((token, blinded),) = signer.asked
    assert visit.posts == [json.dumps({"token": token, "blinded": blinded}, separators=(",", ":")), report]
    assert blinded not in report and token not in report
    assert visit.shown_report == report
    visit.page.get_by_text("What left your browser", exact=True).click()
    visit.sees("With it went a signature, the last of what was sent.")
    assert visit.stored == [{"slug": visit.survey.slug, "digest": signer.digest, "outcome": "recorded"}]
    reopened(visit).sees("Somebody has already answered this survey in this browser")


def test_nothing_is_sent_before_somebody_chose_when(visit, signer):
    assert visit.posts == []
    (record,) = visit.stored
    assert record.keys() == {"slug", "digest", "body", "token", "blinded", "inverse"}
    again = reopened(visit)
    assert again.heading == READY and not again.is_asking and again.stored == [record]
    again.press("Send now").is_thanked()
    assert signer.asked == [(record["token"], record["blinded"])]
    assert signer.reports[0].startswith(record["body"][:-1] + ',"signature":"')


@pytest.mark.parametrize("more", ["", "en", "/", "/abc", "/" + "a" * 23, "/" + "a" * 21 + "."])
def test_without_an_invitation_it_says_so_before_the_first_question(page, signer, more):
    visit = Visit(page, signer.linked(more)).load()
    assert visit.heading == "This survey is by invitation" and not visit.is_asking
    visit.sees("Please open the link that you were sent")
    invited = Visit(page.context.new_page(), signer.invite()).load()
    assert invited.heading != "This survey is open in another tab"
    invited.sees("0 of 5 answered")


def test_what_an_invitation_gives_is_said_before_the_first_question(page, signer):
    visit = Visit(page, signer.invite()).load()
    visit.sees("The server signs that report without seeing it, and the signature lets it in.")
    assert [made for made in visit.requests if "/respond/signature" in made.url] == []


REFUSALS = {
    "unknown": (refuses(403, "no-invitation"), "The server does not know this invitation, or it was taken back."),
    "used": (refuses(409, "invitation-used"), "This invitation has already been used for another report"),
    "early": (refuses(409, "not-begun"), "The survey has not begun."),
    "gone": (refuses(404, "unknown-survey"), "There is no survey at this address any more."),
    "closed": (refuses(410, "closed"), "The survey has closed."),
    "malformed": (refuses(422, "malformed-request"), "The survey's software is at fault, not you."),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refused_invitation_is_said_and_the_report_is_deleted_unsent(visit, signer, name):
    step, words = REFUSALS[name]
    signer.then(step)
    visit.press("Send now").sees(words)
    assert visit.heading == "Your report was not sent" and visit.stored == [] and visit.listed == []
    assert signer.sent == [] and len(visit.posts) == 1
    reopened(visit).sees("0 of 5 answered")


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        pytest.param([finds_no_network], "The network or the server cannot be reached.", id="network"),
        pytest.param([answers(429)], "The server is busy and asked for a pause.", id="429"),
        pytest.param([answers(503)], "The server has a problem at the moment.", id="503"),
        pytest.param([answers(s) for s in (403, 404, 409)], "The server has a problem at the moment.", id="proxy"),
        pytest.param([answers(200)], "The server has a problem at the moment.", id="portal"),
    ],
)
def test_anything_else_is_tried_again_with_the_same_blinded_message(visit, signer, steps, words):
    signer.then(*steps)
    visit.press("Send now")
    for pause in ("1 second.", "2 seconds.", "4 seconds.")[: len(steps)]:
        visit.sees(f"Not sent yet. {words} The page tries again in {pause}")
        visit.press("Try again now")
    visit.is_thanked()
    assert len(set(visit.posts[:-1])) == 1 and len(signer.reports) == len(signer.sent) == 1


def loses_the_signature(signer):
    """The invitation is used, and the browser never hears of it."""

    def step(route):
        wish = json.loads(route.request.post_data)
        signer.asked.append((wish["token"], wish["blinded"]))
        signer.use(wish["token"], wish["blinded"])
        route.abort()

    return step


def test_a_browser_that_dies_between_use_and_signature_gets_it_afterwards(visit, signer):
    signer.then(loses_the_signature(signer), answers(503, retry_after="60"))
    visit.press("Send now").sees("The page tries again in 60 seconds.")
    (record,) = visit.stored
    assert record["due"] == 0 and record["token"] == signer.asked[0][0]
    again = reopened(visit).is_thanked()
    assert len(set(signer.asked)) == 1 and len(signer.reports) == 1
    assert json.loads(signer.reports[0])["report_id"] == json.loads(record["body"])["report_id"]
    assert [each.get("outcome") for each in again.stored] == ["recorded"]


def test_a_browser_that_dies_between_signature_and_report_sends_the_same_bytes(visit, signer):
    visit.page.context.route("**/respond/reports", answers(503, retry_after="60"))
    visit.press("Send now").sees("Not sent yet.")
    (record,) = visit.stored
    assert record.keys() == {"slug", "digest", "body", "due"}, "the invitation is forgotten"
    assert record["body"] == visit.posts[-1]
    visit.page.context.unroute("**/respond/reports")
    signer.serve(visit.page.context)
    reopened(visit).is_thanked()
    assert signer.reports == [record["body"]] and len(signer.asked) == 1


def signed_by(key):
    """A step of a server that signs with another key, by which it could tell whose report it is."""

    def step(route):
        blinded = int.from_bytes(data_of(json.loads(route.request.post_data)["blinded"])) % key.modulus
        signature = {"signature": text_of(blind.sign(key, blinded.to_bytes(256)))}
        route.fulfill(content_type="application/json", body=json.dumps(signature))

    return step


def says(signature):
    return lambda route: route.fulfill(content_type="application/json", body=json.dumps({"signature": signature}))


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(signed_by(blind.new_key()), id="another-key"),
        pytest.param(says("A" * 342), id="nothing"),
        pytest.param(says("_" * 341 + "w"), id="too-large"),
        pytest.param(says(text_of(KEY.modulus.to_bytes(256))[:-4]), id="short"),
        pytest.param(says('", "whose": "'), id="markup"),
        pytest.param(says(None), id="null"),
    ],
)
def test_a_wrong_signature_is_not_sent(visit, signer, step):
    signer.then(step)
    visit.press("Send now").sees("The server's signature is wrong")
    assert signer.sent == [] and len(visit.posts) == 1
    visit.press("Try again").is_thanked()
    assert len(signer.reports) == 1


def test_a_report_can_be_sent_some_time_after_the_invitation(visit, signer):
    visit.sees("at a random moment 10 to 180 minutes from now")
    visit.page.clock.install()
    before = visit.page.evaluate("Date.now()")
    visit.press("Use the invitation now, send the report later").sees("Your report waits")
    (record,) = visit.stored
    minutes = (record["due"] - before) / 60_000
    assert len(signer.asked) == 1 and signer.sent == [] and "token" not in record
    assert 10 <= minutes <= 181
    again = reopened(visit)
    again.page.clock.install()
    again.page.reload()
    again.sees("Your report waits")
    again.page.clock.fast_forward(int(minutes * 60_000) - 5_000)
    assert signer.sent == [] and again.heading == "Your report waits"
    again.page.clock.fast_forward(35_000)
    again.is_thanked()
    assert signer.reports == [record["body"]]


def test_a_report_that_became_due_while_the_page_was_closed_is_sent_when_it_opens(visit, signer):
    visit.page.clock.install()
    visit.press("Use the invitation now, send the report later").sees("Your report waits")
    (record,) = visit.stored
    page = visit.page.context.new_page()
    page.clock.install(time=record["due"] / 1000 + 1)
    visit.page.close()
    Visit(page, visit.survey).load().is_thanked()
    assert signer.reports == [record["body"]]


def test_a_report_that_waits_can_be_sent_at_once(visit, signer):
    visit.press("Use the invitation now, send the report later").sees("Your report waits")
    visit.press("Send it now").is_thanked()
    assert len(signer.reports) == 1


def test_delays_are_spread_over_the_whole_time(page, signer):
    """Of 200 delays all would be below 100 or all above 90 minutes by chance once in 10^49 runs."""
    Visit(page, signer.invite()).load()
    due = page.evaluate(
        """async () => {
          const { atRandom } = await import("/respond/invitation.js");
          return Array.from({ length: 200 }, () => (atRandom() - Date.now()) / 60000);
        }"""
    )
    assert 9.9 < min(due) < 100 and 90 < max(due) < 180.1


def test_two_tabs_with_the_same_report_send_it_once(visit, signer):
    other = Visit(visit.page.context.new_page(), visit.survey).load()
    assert other.heading == READY
    visit.page.bring_to_front()
    visit.press("Send now").is_thanked()
    other.page.bring_to_front()
    other.press("Send now").sees("Somebody has already answered this survey in this browser")
    assert len(signer.asked) == 1 and len(signer.sent) == 1


def test_the_second_device_with_the_same_link_is_told(browser, survey, visit, signer):
    visit.press("Send now").is_thanked()
    with browser.new_context() as context:
        signer.serve(context)
        other = Visit(context.new_page(), visit.survey).load().answer().send()
        other.press("Send now").sees("This invitation has already been used for another report")
    assert len(signer.reports) == len(signer.sent) == 1


def test_another_person_answers_on_the_same_device_by_a_link_of_their_own(visit, signer):
    visit.press("Send now").is_thanked()
    other = Visit(visit.page, signer.invite()).load()
    other.press("Another person wants to answer on this device").press("Yes, another person answers now")
    other.answer().send().press("Send now").is_thanked()
    assert len(signer.reports) == 2 and len({token for token, _ in signer.asked}) == 2


def test_a_browser_without_storage_asks_to_keep_the_page_open(page, signer):
    page.add_init_script("IDBFactory.prototype.open = () => { throw new DOMException('no', 'UnknownError'); }")
    visit = Visit(page, signer.invite()).load().press("No, I have not answered yet").answer().send()
    visit.sees("Please keep this page open: this browser does not let it keep the report.")
    signer.then(answers(503))
    visit.press("Send now").is_thanked()
    assert len(set(signer.asked)) == 1 and len(signer.reports) == 1


def test_all_is_on_the_disk_before_the_invitation_is_used(page, signer):
    """A killed browser cannot show this, since what it handed to the system survives; a machine without power would."""
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
    Visit(page, signer.invite()).load().answer().send().press("Send now").is_thanked()
    claimed = "strict: slug digest body token blinded inverse"
    steps = [claimed, f"{claimed} due", "/respond/signature", "strict: slug digest body due", "/respond/reports"]
    assert page.evaluate("noted")[: len(steps)] == steps


# What is pressed and seen, in this order.
WORDS = {
    "de": (
        "Der Server unterschreibt diese Meldung, ohne sie zu sehen",
        "Meine zufällig veränderten Antworten senden",
        "Ihre Meldung ist fertig",
        "Einladung jetzt einlösen, Meldung später senden",
        "Ihre Meldung wartet",
        "Jetzt senden",
        "Vielen Dank",
    ),
    "ar": (
        "يوقّع الخادم هذا التقرير دون أن يراه",
        "إرسال إجاباتي المُغيَّرة عشوائيًا",
        "تقريرك جاهز",
        "استخدام الدعوة الآن وإرسال التقرير لاحقًا",
        "تقريرك ينتظر",
        "إرساله الآن",
        "شكرًا لك",
    ),
}


@pytest.mark.parametrize("language", WORDS)
def test_all_of_it_is_said_in_the_language_of_the_page(context, page, system, tmp_path, language):
    question = {"key": "moved", "kind": "yes_no", "text": "?", "alpha": "1", "mechanism": "randomized_response"}
    draft = {"title": "!", "introduction": "", "language": language, "questions": [question]}
    signer = Signer(context, open_page(system, tmp_path, draft))
    promise, send, ready, later, waiting, instead, thanks = WORDS[language]
    visit = Visit(page, signer.invite(language)).load()
    visit.sees(promise)
    page.get_by_role("radio").first.click()
    visit.press(send).sees(ready)
    visit.press(later).sees(waiting)
    visit.press(instead).sees(thanks)
    assert len(signer.reports) == 1


MODULUS = text_of(KEY.modulus.to_bytes(256))
SHAPES = [
    pytest.param({"modulus": MODULUS}, True, id="a key"),
    pytest.param({"modulus": text_of(b"\xff" * 256)}, True, id="the one of drafts"),
    pytest.param({"modulus": text_of(b"\x80" + bytes(254) + b"\x01")}, True, id="the smallest"),
    pytest.param({"modulus": text_of(b"\x7f" + b"\xff" * 255)}, False, id="a bit short"),
    pytest.param({"modulus": text_of(b"\xff" * 255 + b"\xfe")}, False, id="even"),
    pytest.param({"modulus": MODULUS[:-1] + chr(ord(MODULUS[-1]) + 1)}, False, id="bits left over"),
    pytest.param({"modulus": MODULUS + "=="}, False, id="padded"),
    pytest.param({"modulus": MODULUS[:-1]}, False, id="a character short"),
    pytest.param({"modulus": MODULUS + "A"}, False, id="a character more"),
    pytest.param({"modulus": "+" + "A" * 340 + "w"}, False, id="base64"),
    pytest.param({"modulus": MODULUS + "\n"}, False, id="a line"),
    pytest.param({"modulus": 1}, False, id="a number"),
    pytest.param({"modulus": MODULUS, "exponent": 3}, False, id="another exponent"),
    pytest.param({}, False, id="nothing"),
    pytest.param(MODULUS, False, id="text"),
    pytest.param(True, False, id="as in a draft"),
    pytest.param(None, False, id="null"),
]


@pytest.mark.parametrize(("invitations", "fits"), SHAPES)
def test_the_page_takes_keys_of_2048_bits_and_no_others(page, signer, invitations, fits):
    Visit(page, signer.invite()).load()
    definition = json.dumps(signer.survey.definition | {"invitations": invitations}, sort_keys=True,
                            separators=(",", ":"), ensure_ascii=False)  # fmt: skip
    problem = page.evaluate(
        """async (text) => {
          const { certify } = await import("/respond/page.js");
          return certify(new TextEncoder().encode(text)).problem;
        }""",
        definition,
    )
    assert problem == (None if fits else {"reason": "form"})
