"""Every program on the way reads an accepted email address in the same way."""

import random
from email import message_from_bytes, policy

import pytest
from django.core.mail import EmailMessage
from django.core.mail.message import sanitize_address

from surveys.rules.mail import is_address

ENCODED = [
    *("=?utf-8?q?a0=0D=0Ab?=@example.org", "=?utf-8?q?ada?=@example.org", "=?utf-8?b?YWRh?=@example.org"),
    *("=?utf-8?q??=@example.org", "=?utf-8?q?=ff@example.org", "a.=?utf-8?q?b?=@example.org", "a=?x@example.org"),
    *("=?utf-8?q?a0=0D=0Ab@example.org", "=?@example.org"),
]
NO_HOST = [
    *("a@localhost", "a@LOCALHOST", "a@x.localhost", "a@server", "a@[127.0.0.1]", "a@[IPv6:::1]", "a@127.0.0.1"),
    *("a@10.0.0.11", "a@0x7f.1", "a@example.0x11", "a@2130706433", "a@\uff11\uff10.0.0.\uff11\uff11", "a@example.org."),
    *("a@", "@example.org", "a", "", "a@b@example.org", "a@example..org", "a@-a.org"),
]
QUOTED = [
    '"a b"@example.org',
    '"a"@example.org',
    '"=?utf-8?q?a?="@example.org',
    '"a\\"b"@example.org',
    "a b@example.org",
]
GOOD = [
    *("ada@example.org", "a.b+c@mail.example.org", "o'hara@example.org", "a=b@example.org", "a?b@example.org"),
    *(
        "!#$%&'*+-/^_`{|}~@example.org",
        "ada@b\u00fccher.example",
        "ada@xn--bcher-kva.example",
        "a@firma.local",
        "1@1a.example",
    ),
]
ATOMS = [
    *"abz09.!#$%&'*+-/=?^_`{|}~",
    *'"\\ <>(),;:[]@\u202c\u00e9\x7f',
    "=?utf-8?q?",
    "?=",
    "=?",
    "=0D=0A",
    *("ab " * 5),
]
HOSTS = [
    "example.org",
    "b\u00fccher.example",
    "\uff45\uff58.example",
    "[1.1.1.1]",
    "\u00df.example",
    "a\u3002example",
    "a" * 63 + ".org",
]


@pytest.mark.parametrize("address", [*ENCODED, *NO_HOST, *QUOTED, "ada@example.org\u202c", "\u00e4da@example.org"])
def test_what_programs_read_differently_or_no_server_has_is_refused(address):
    assert not is_address(address)


@pytest.mark.parametrize("address", GOOD)
def test_what_people_have_is_taken(address):
    assert is_address(address)


def test_whatever_is_taken_can_be_written_to_and_is_whom_the_letter_reaches():
    """The texts are random, made of characters of email addresses and of sequences that programs decode."""
    chance, taken = random.Random(46), 0
    for _ in range(3000):
        local = "".join(chance.choices(ATOMS, k=chance.choice([1, 2, 4, 9, 70])))
        address = f"{local}@{chance.choice(HOSTS)}"
        if is_address(address):
            taken += 1
            assert _reached(address) == {local}, address
    assert taken > 200


def _reached(address):
    """Return the parts before the @ in the letter's envelope and in its header."""
    letter = EmailMessage(subject="a", body="b", from_email="c@example.org", to=[address])
    read = message_from_bytes(letter.message().as_bytes(), policy=policy.default)
    (named,) = read["To"].addresses
    return {named.username, sanitize_address(letter.recipients()[0], "utf-8").rpartition("@")[0]}
