"""Invitations by mail: each person's letter, the site's record of an email address, and nothing that reveals who
answered when."""

from itertools import permutations

import pytest

from surveys.respondent.invitations import addresses, blind, book, counts, letters, texts
from surveys.respondent.invitations.file import changed
from surveys.respondent.invitations.texts import Words
from tests.respondent.invitations.test_book import bytes_but_counters
from tests.support import blinding

DIGEST = "a" * 64
WORDS = Words("en", "Invitation", "Come:\n\n{link}")
KEPT = WORDS._replace(keeps=True)


@pytest.fixture(scope="module")
def key():
    return blind.new_key()


@pytest.fixture
def file(settings, tmp_path, key):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    book.enter(DIGEST, [key])
    return settings.INVITATIONS_FILE


def people(count):
    return [f"person{k}@example.org" for k in range(count)]


def queue():
    """Return the waiting letters by email address."""
    begun = [letters.begin(digest, place) for digest, place, _ in letters.waiting(10_000)]
    return {letter.address: letter for letter in begun if letter}


def use(token, key, k=0):
    return book.sign(DIGEST, token, blinding.blind(key.modulus, b"report %d" % k, b"s" * 48, 3 + k).message)


def count(release, least=3):
    counts.count(DIGEST, release, least)
    return [(group.name, group.invited, group.used) for group in counts.groups(DIGEST)]


@pytest.mark.parametrize(
    "pasted",
    [
        "ada@example.org\n\n  bob@example.org ",
        'Name,E-Mail\nLovelace,ada@example.org\n"Bob, jr.",bob@example.org\n',
        "\ufeffName;Mail\r\nA;ada@example.org\r\nB;bob@example.org\r\n",
        "Ada Lovelace <ada@example.org>; Bob <bob@example.org>",
        "Ada Lovelace <ada@example.org>, Bob <bob@example.org>,",
        '"Lovelace, Ada" <ada@example.org>; "Bob \\"jr\\", X" <bob@example.org>',
        "Lovelace, Ada <ada@example.org>; X, Bob <bob@example.org>",
        "\u201cLovelace, Ada\u201d <ada@example.org>; bob@example.org",
        "ada@example.org,bob@example.org",
        "ada@example.org\tbob@example.org",
        "ada@example.org bob@example.org",
        "ada@example.org\uff1bbob@example.org",
        "ada@example.org\u060c bob@example.org",
        '"ada@example.org; bob@example.org"',
        '"ada@example.org" <ada@example.org>; bob@example.org (Bob)',
        "ada@example.org<mailto:ada@example.org>; 'bob@example.org'.",
        "mailto:ada@example.org?subject=Hi\n<mailto:bob@example.org>",
        "To: ada@example.org; Cc: Bob [bob@example.org](mailto:bob@example.org)",
        'Ada <ada@example.org>;\nBob 5" <bob@example.org>',
        "17;Ada;ada@example.org;@ada\n18;Bob;bob@example.org;@bob",
        "Ada Lovelace <ada@example.org>\nbob@example.org\tBob",
        "\u202aada@example.org\u202c\nBob \u200e<bob@example.org>\u200f",
    ],
)
def test_addresses_are_read_from_lists_and_tables(pasted):
    assert addresses.read(pasted) == ["ada@example.org", "bob@example.org"]


@pytest.mark.parametrize(
    ("pasted", "line"),
    [
        *(("ada@example\n", 1), ("a@b.org\n\nnobody\n", 3), ("ä@b.org", 1)),
        # No mail server can receive mail for these hosts: text that was not UTF-8, and a name that is too long.
        *(("a@b.org\nada@ex\ufffdmple.org\n", 2), (f"a@{'ä' * 60}.org", 1), ("a@\ud800.org", 1)),
        # The line has a valid address too: no one on the line is left out silently.
        *(("a@b.org; b@c", 1), ("a@b.org; b @c.org", 1), ("A <a@b.org>; B <b@c>", 1), ("a@b.org|b@b.org", 1)),
        *(('a@b.org; "b c"@b.org', 1), ("x,a@b.org\ny,mailto:a@b.org?cc=b@b.org", 2)),
    ],
)
def test_a_line_without_an_address_is_named(pasted, line):
    with pytest.raises(addresses.UnreadLines) as refusal:
        addresses.read(pasted)
    [error] = refusal.value.errors
    assert isinstance(error, addresses.NoAddress) and error.line == line


def test_every_line_that_is_refused_is_named_at_once():
    with pytest.raises(addresses.UnreadLines) as refusal:
        addresses.read("a@b.org\nnobody\nA@b.org, c@b.org\nx,d@b.org,e@b.org\nf@b.org\na@b.org")
    kinds = [(type(error), error.line) for error in refusal.value.errors]
    assert kinds == [(addresses.NoAddress, 2), (addresses.Twice, 3), (addresses.Several, 4), (addresses.Twice, 6)]


@pytest.mark.parametrize(
    "pasted",
    ["Ada,ada@example.org,ada@home.example.org", "ada@example.org, ada@home.example.org, Ada",
     "ada@home.example.org <ada@example.org>", "ada@home.example.org Ada <ada@example.org>"],
)  # fmt: skip
def test_a_line_with_several_addresses_of_what_may_be_one_person_is_refused_with_all_of_them(pasted):
    with pytest.raises(addresses.UnreadLines) as refusal:
        addresses.read(f"bob@example.org\n{pasted}")
    [error] = refusal.value.errors
    assert isinstance(error, addresses.Several) and error.line == 2
    assert set(error.addresses) == {"ada@example.org", "ada@home.example.org"}


def test_a_list_as_long_as_can_be_is_read_in_time_of_its_length():
    for text in ("a" * 10**6, '"' * (10**6 + 1), '"\\' * 10**6, "<" * 10**6, ";" * 10**6, "?" * 10**6 + "@"):
        with pytest.raises(addresses.UnreadLines):
            addresses.read(text)


def test_each_letter_has_a_link_that_lets_in_one_report_and_the_same_when_it_is_tried_again(file, key):
    letters.invite(DIGEST, people(5), WORDS)
    first, again = queue(), queue()
    assert set(first) == set(people(5)) and first == again and len({each.token for each in first.values()}) == 5
    assert len({each.message_id for each in first.values()}) == 5
    for k, letter in enumerate(first.values()):
        assert use(letter.token, key, k) and book.invited(DIGEST) == 5


def test_an_address_is_never_in_the_book_in_clear_and_goes_once_its_letter_is_sent(file):
    letters.invite(DIGEST, people(3), WORDS)
    sealed = file.read_bytes()
    first, *others = queue().values()
    letters.sent(first)
    assert letters.post(DIGEST) == (2, 0, (), True)
    for letter in others:
        letters.sent(letter)
    assert letters.post(DIGEST) == (0, 0, (), True)
    with changed() as rows:
        assert rows.execute("SELECT (SELECT count(*) FROM addressee), (SELECT count(*) FROM mailing)").fetchone() == (
            0,
            0,
        )
    for content in (sealed, file.read_bytes()):
        assert b"example" not in content and not any(letter.token.encode() in content for letter in (first, *others))


def test_nothing_tells_in_which_order_letters_were_sent(file):
    letters.invite(DIGEST, people(40), WORDS)
    chosen, before, contents = list(queue().values())[::15], file.read_bytes(), set()
    for order in permutations(chosen):
        file.write_bytes(before)
        for letter in order:
            letters.begin(DIGEST, letter.place)
            letters.sent(letter)
        contents.add(bytes_but_counters(file))
    assert len(contents) == 1


def test_once_all_letters_of_a_mailing_were_sent_their_tokens_cannot_be_computed_any_more(file):
    letters.invite(DIGEST, people(3), KEPT)
    with changed() as rows:
        [(number,)] = rows.execute("SELECT mailing FROM mailing").fetchall()
    first, *others = queue().values()
    letters.failed(first)
    assert number in file.read_bytes()
    for letter in others:
        letters.sent(letter)
    assert number not in file.read_bytes() and letters.post(DIGEST).keeps == 2


def test_letters_are_sent_in_no_order_of_the_book(file):
    letters.invite(DIGEST, people(200), WORDS)
    places = [[place for _, place, _ in letters.waiting(200)] for _ in range(2)]
    assert sorted(places[0]) == sorted(places[1]) and len({*map(tuple, places), tuple(sorted(places[0]))}) == 3


def test_a_letter_is_given_up_after_many_tries_and_its_address_told(file):
    letters.invite(DIGEST, people(1), WORDS)
    [(_, place, _)] = letters.waiting(1)
    assert [bool(letters.begin(DIGEST, place)) for _ in range(letters.TRIES_MOST + 1)] == [True] * 15 + [False]
    assert letters.post(DIGEST) == (0, 0, ("person0@example.org",), True)
    assert letters.withdraw(DIGEST) == 1 and book.invited(DIGEST) == 0
    assert letters.post(DIGEST) == (0, 0, (), True)


def test_reminders_go_by_the_last_count_and_no_one_learns_more_by_asking(file, key):
    """Four of ten people have answered, and three are a batch: three answered before the count, one after it."""
    letters.invite(DIGEST, people(10), KEPT)
    tokens = {}
    for address, letter in queue().items():
        tokens[address] = letter.token
        letters.sent(letter)
    for k in range(2):
        use(tokens[f"person{k}@example.org"], key, k)
    assert count(1) == [("", 10, None)] and letters.unanswered(DIGEST) == 10, "two are too few to be counted"
    use(tokens["person2@example.org"], key, 2)
    assert count(1) == [("", 10, None)], "a release is counted once"
    assert count(2) == [("", 10, 3)] and letters.unanswered(DIGEST) == 7
    use(tokens["person3@example.org"], key, 3)
    assert count(3) == [("", 10, 3)]
    letters.stop(DIGEST, ["Person9@example.org", "nobody@example.org"])
    assert letters.unanswered(DIGEST) == 7, "no one learns whether the forgotten person had answered"
    assert letters.remind(DIGEST, KEPT) == 7 and letters.post(DIGEST).waiting == 9
    with pytest.raises(letters.LettersWaiting):
        letters.remind(DIGEST, KEPT)
    reminded = queue()
    assert set(reminded) == {f"person{k}@example.org" for k in range(3, 9)}
    assert letters.post(DIGEST).waiting == 9, "until all are sent"
    with pytest.raises(book.Used):
        use(reminded["person3@example.org"].token, key, 99)
    assert use(reminded["person4@example.org"].token, key, 4), "another link to the same invitation"
    with pytest.raises(book.Used):
        use(tokens["person4@example.org"], key, 5)


@pytest.mark.parametrize("answered", [True, False])
def test_no_number_reveals_whether_a_person_who_is_forgotten_or_taken_back_has_answered(file, key, answered):
    """Ten of twenty people have answered by the last count. Any change is made to one person, and the mail server takes
    the reminders in any way. Everything shown is the same as if the change had been made to another person."""
    letters.invite(DIGEST, people(20), KEPT)
    tokens = {}
    for address, letter in queue().items():
        tokens[address] = letter.token
        letters.sent(letter)
    for k in range(10):
        use(tokens[f"person{k}@example.org"], key, k)
    count(1)
    one, two = ("person3@example.org", "person4@example.org") if answered else people(12)[10:]
    shown = []

    def look():
        post, rates = letters.post(DIGEST), counts.groups(DIGEST)
        percents = tuple(each.percent for each in rates)
        shown.append((letters.unanswered(DIGEST), post, tuple(rates), percents, book.invited(DIGEST)))

    look()
    letters.stop(DIGEST, [one])
    look()
    book.take_back(DIGEST, tokens[two])
    look()
    book.replace(DIGEST, tokens[two])
    look()
    shown.append(letters.remind(DIGEST, KEPT))
    look()
    for digest, place, _ in letters.waiting(99):
        if letters.begin(digest, place):  # the server takes none of them today
            look()
    look()
    for letter in queue().values():
        look()
        letters.sent(letter)
    look()
    assert [shown[k][0] for k in (0, 1, 2, 3)] == [10] * 4 and shown[4] == 10
    assert shown[-2][1] == (18, 19, (), True), "however many are sent"
    assert shown[-1][1] == (0, 19, (), True)
    assert len(set(shown[5:-1])) == 1


def test_anyone_who_has_a_letter_coming_or_an_address_kept_is_not_invited_twice(file):
    letters.invite(DIGEST, people(3), KEPT)
    with pytest.raises(letters.AddressesKnown) as refusal:
        letters.invite(DIGEST, ["new@example.org", "PERSON1@example.org"], KEPT)
    assert list(refusal.value.addresses) == ["person1@example.org"] and book.invited(DIGEST) == 3


def test_at_the_end_addresses_and_their_key_are_gone_and_copies_of_the_book_are_unreadable(file):
    letters.invite(DIGEST, people(3), KEPT)
    copy, directory = file.read_bytes(), file.parent / "address-keys"
    assert [path.stat().st_mode & 0o777 for path in directory.iterdir()] == [0o600]
    book.end(DIGEST)
    assert list(directory.iterdir()) == [] and letters.waiting(9) == []
    file.write_bytes(copy)
    with pytest.raises(addresses.Lost):
        letters.remind(DIGEST, KEPT)
    assert letters.post(DIGEST).readable is False and letters.waiting(9) == []
    letters.forget(DIGEST)
    assert letters.post(DIGEST) == (0, 0, (), True)


def test_a_group_begins_with_a_batch_and_is_counted_by_itself(file, key):
    with pytest.raises(book.SmallUnit):
        book.invite(DIGEST, 2, "Sales", 3)
    sales, others = book.invite(DIGEST, 4, "Sales", 3), book.invite(DIGEST, 5)
    assert len(book.invite(DIGEST, 1, "Sales", 3)) == 1
    for k, token in enumerate([*sales[:3], *others[:2]]):
        use(token, key, k)
    assert count(1) == [("", 5, None), ("Sales", 5, 3)]
    assert [group.percent for group in counts.groups(DIGEST)] == [None, 60]
    book.take_back(DIGEST, sales[3])
    assert count(2)[1] == ("Sales", 4, 3)


@pytest.mark.parametrize("language", ["en", "de", "ar", "fr"])
@pytest.mark.parametrize("make", [texts.invitation, texts.reminder])
def test_the_words_that_are_proposed_can_be_sent(make, language):
    words, warned = (make("A survey", language, None, cautions) for cautions in (False, True))
    texts.check(words)
    texts.check(warned)
    assert words.text != warned.text
    letter = words.letter("https://x/#y")
    assert letter.count("https://x/#y") == 1 and "{" not in letter and texts.promise(language, words.keeps) in letter


TOUCHING = (
    *("{link}abc", "{link}?x=1", "*{link}*", "<{link}>", "({link})", "Here: {link}.", "{link}\u200b", "_{link}_"),
    *("“{link}”", "a{link}", "{{link}}", "{link}\u060c", "[here]({link})", "{link}&x", "https://a/{link}", "{link}/de"),
)


SPACED = ["«\u00a0{link}\u00a0»", "Vous\u202f: {link}", "نمی\u200cدانم {link}", "👩\u200d👩 {link}", "{link}\u3000谢谢"]


@pytest.mark.parametrize(
    "apart", ["{link}", "Here: {link} please", "Here:\n{link}\n", "\r\n{link}\r\n.", "a {link}", *SPACED]
)
def test_a_link_that_stands_apart_is_sent(apart):
    texts.check(WORDS._replace(text=apart))


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"subject": ""}, "subject"),
        ({"subject": "a\nBcc: b@example.org"}, "subject"),
        ({"text": "no link"}, "text"),
        ({"text": "{link} {link}"}, "text"),
        ({"text": "{link}" + "a" * 5000}, "text"),
        ({"text": "{link}\0"}, "text"),
        ({"text": "{link} \u202eabc"}, "text"),
        ({"text": "{link}\u2028"}, "text"),
        ({"subject": "\u200b"}, "subject"),
        *(({"text": touching}, "text") for touching in TOUCHING),
    ],
)
def test_words_that_cannot_be_sent_are_refused_by_their_field(fields, field):
    with pytest.raises(texts.UnfitText) as refusal:
        texts.check(WORDS._replace(**fields))
    assert refusal.value.field == field
