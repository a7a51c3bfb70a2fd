"""Links of surveys and invitations: their letters, their check, and how they are read after mail programs and people
changed them. The page has the same rules (tests/browser/test_links.py)."""

import re
import secrets
from urllib.parse import quote

import pytest

from surveys.respondent.page.links import link, token_of
from surveys.rules.spelling import INVITATION, LETTERS, SURVEY, code_in, is_code, short, spelled
from tests.support.invitations import group_of
from tests.support.links import CHANGES

SLUG, TOKEN = spelled(bytes(range(16)), SURVEY), spelled(bytes(range(16, 32)), INVITATION)
IN_GROUP = spelled(b"\xff" * 16, INVITATION, 19)


@pytest.mark.parametrize("code", [SLUG, TOKEN, IN_GROUP, spelled(bytes(16), SURVEY), short()], ids=range(5))
def test_a_code_with_one_letter_changed_or_two_swapped_is_none(code):
    kind = INVITATION if code in (TOKEN, IN_GROUP) else SURVEY
    assert is_code(code, kind) and not is_code(code, 1 - kind)
    for k in range(len(code)):
        for letter in {*LETTERS, "0", "o", "i", "l", "1", "-"} - {code[k]}:
            assert not is_code(code[:k] + letter + code[k + 1 :], kind)
        for other in range(k):
            if code[k] != code[other]:
                swapped = [*code]
                swapped[k], swapped[other] = code[other], code[k]
                assert not is_code("".join(swapped), kind)
        assert not is_code(code[:k] + code[k + 1 :], kind)


def test_every_secret_has_a_code_of_its_own_and_its_group_is_read_back():
    made = {secrets.token_bytes(16) for _ in range(500)} | {bytes(16), b"\xff" * 16}
    assert len({spelled(secret, INVITATION) for secret in made}) == len(made)
    assert group_of(IN_GROUP) == 19 and group_of(TOKEN) is None


@pytest.mark.parametrize("parts", [(SLUG,), (SLUG, "de"), (SLUG, "", TOKEN), (SLUG, "zh-Hant", IN_GROUP)])
def test_a_link_has_nothing_that_mail_sms_or_markdown_eats(parts):
    made = link(*parts)
    assert re.fullmatch(r"/s/#[a-z2-9]{27}(/[a-z]{2,3}(-\w+)*)?(/[a-z2-9]{27,28})?", made, re.ASCII)
    assert "//" not in made and not re.search(r"[_*~`\[\]()<>|]", made) and made[-1].isalnum()


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_invitation_is_found_in_its_link_however_it_was_changed(change):
    for token in (TOKEN, IN_GROUP):
        assert token_of(change("https://example.org", SLUG, "en", token)) == token


def test_an_invitation_is_found_in_what_was_typed_from_a_card_and_in_nothing_else():
    groups = "-".join(re.findall(".{1,4}", TOKEN.upper()))
    assert token_of(groups) == token_of(groups.replace("-", " ")) == token_of(TOKEN) == TOKEN
    for other in ("", SLUG, TOKEN[:-1], TOKEN + "a", link(SLUG, "en"), "x" * 27, quote(SLUG), TOKEN[1:] + TOKEN[0]):
        assert token_of(other) is None, other
    assert code_in(link(SLUG, "", TOKEN), SURVEY) == SLUG
