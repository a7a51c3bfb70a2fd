"""Notes, checkpoints and cosignatures as C2SP specifies them. The site and the verifier read and make the published
examples, and refuse everything slightly different."""

import base64

import pytest

from surveys.transparency.check import verify
from surveys.transparency.log import checkpoint, note
from tests.support.notes import is_signed

# golang.org/x/mod/sumdb/note
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETERS_SECRET = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
ENOCH = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
PETERS_LINE = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
ENOCHS_LINE = (
    "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n"
)
# c2sp.org/signed-note
EXAMPLE = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
EXAMPLES_NOTE = (
    "This is an example message.\n\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
# A checkpoint of a Certificate Transparency log of 2026, with a witness's cosignature
WITNESS = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
CHECKPOINT = "arche2025h1.staging.ct.transparency.dev\n1432088532\nU7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=\n"
COSIGNATURE = (
    "— remora.n621.de "
    "2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==\n"
)
LOG = "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
LOGS_LINE = (
    "— arche2025h1.staging.ct.transparency.dev "
    "ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=\n"
)
# c2sp.org/tlog-cosignature: an example whose key is not published
SOFA = "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"  # noqa: E501

WRONG = (note.MalformedNote, verify.Wrong, ValueError)


def signed(text, *keys):
    """Return, for each key, whether it signed the note, as the site reads it. The verifier must agree."""
    plain, lines = note.parsed(text.encode())
    ours = [is_signed(plain, lines, note.public_key(key)) for key in keys]
    theirs = [verify.note_of(text.encode()).signed_by(verify.key_of(key)) for key in keys]
    assert ours == theirs
    return ours


def refused(function, *arguments):
    with pytest.raises(WRONG):
        function(*arguments)
    return True


def test_published_notes_are_signed_by_their_keys_alone():
    assert signed(f"{TEXT}\n{PETERS_LINE}{ENOCHS_LINE}", PETER, ENOCH, EXAMPLE) == [True, True, False]
    assert signed(f"{TEXT}\n{ENOCHS_LINE}", PETER, ENOCH) == [False, True]
    assert signed(EXAMPLES_NOTE, EXAMPLE, PETER) == [True, False]


def test_a_known_key_signs_as_it_is_published():
    key = note.private_key(PETERS_SECRET)
    assert (str(key), str(key.public), key.sign(TEXT)) == (PETERS_SECRET, PETER, PETERS_LINE)
    assert verify.sign(key.seed, TEXT.encode()) == base64.b64decode(PETERS_LINE.split()[-1])[4:]
    assert verify.public_of(key.seed) == key.public.public


@pytest.mark.parametrize("key", [PETER, ENOCH, EXAMPLE, WITNESS])
def test_no_part_of_a_key_and_no_key_with_another_letter_is_one(key):
    assert str(note.public_key(key)) == str(verify.key_of(key)) == key
    others = [key[i:j] for i in range(len(key)) for j in range(i + 1, len(key) + 1) if (i, j) != (0, len(key))]
    others += [key[:i] + chr(ord(key[i]) + 1) + key[i + 1 :] for i in range(len(key))]
    for other in others[:: max(1, len(others) // 400)]:
        assert refused(note.public_key, other) and refused(verify.key_of, other), other
    assert refused(note.public_key, "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    assert refused(verify.key_of, "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT + "\n",
        TEXT + "\n" + PETERS_LINE[:-1],
        "\x01" + TEXT + "\n" + PETERS_LINE,
        TEXT + "\n" + PETERS_LINE.replace("PeterNeumann", "Bad Name"),
        TEXT + "\n" + PETERS_LINE + "Unexpected line.\n",
        TEXT + "\n" + PETERS_LINE * 101,
    ],
)
def test_what_is_no_signed_note_is_refused(text):
    assert refused(note.parsed, text.encode()) and refused(verify.note_of, text.encode())


def test_a_wrong_signature_of_a_known_key_is_refused_and_one_of_another_key_is_not_looked_at():
    other = f"{TEXT}\n{PETERS_LINE[:60]}ABCD{PETERS_LINE[60:]}"
    plain, lines = note.parsed(other.encode())
    assert refused(is_signed, plain, lines, note.public_key(PETER))
    assert refused(verify.note_of(other.encode()).signed_by, verify.key_of(PETER))
    assert signed(f"{TEXT}\n{PETERS_LINE}{ENOCHS_LINE[:60]}ABCD{ENOCHS_LINE[60:]}", PETER) == [True]


def test_a_published_checkpoint_is_read_and_its_witness_believed():
    data = f"{CHECKPOINT}\n{LOGS_LINE}{COSIGNATURE}".encode()
    assert signed(data.decode(), LOG) == [True]
    ours, theirs = checkpoint.checkpoint(CHECKPOINT), verify.checkpoint_of(data)
    assert str(ours) == CHECKPOINT and (ours.origin, ours.size, ours.root) == theirs[:3]
    [line] = note.signatures(COSIGNATURE)
    assert checkpoint.is_cosigned(CHECKPOINT, line, note.public_key(WITNESS))
    assert theirs.note.cosigned_by(verify.key_of(WITNESS)) == checkpoint.time_of(line) == 1779573024
    assert theirs.note.cosigned_by(verify.key_of(PETER)) is None
    other = data.replace(b"1432088532", b"1432088533")
    assert not checkpoint.is_cosigned(other.decode().partition("\n\n")[0] + "\n", line, note.public_key(WITNESS))
    assert refused(verify.checkpoint_of(other).note.cosigned_by, verify.key_of(WITNESS))


def test_a_published_cosignature_has_its_time():
    [line] = note.signatures(SOFA)
    assert (checkpoint.time_of(line), line.id.hex()) == (1679315147, "8d66cf3f")
    assert checkpoint.cosigned_message("x\n", 1679315147) == verify.cosigned("x\n", 1679315147)
    assert verify.cosigned("x\n", 1679315147) == b"cosignature/v1\ntime 1679315147\nx\n"


@pytest.mark.parametrize(
    "text",
    [
        "origin\n1\n",
        "origin\n01\nU7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=\n",
        "origin\n-1\nU7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=\n",
        "\n1\nU7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=\n",
        "origin\n1\nU7WM\n",
        "origin\n1\nU7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=\nextension\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text):
    assert refused(checkpoint.checkpoint, text)
    assert refused(verify.checkpoint_of, f"{text}\n{PETERS_LINE}".encode())


def test_the_verifiers_signatures_are_those_of_rfc_8032():
    """The examples are RFC 8032, section 7.1, tests 1 to 3."""
    for seed, public, message, signature in (
        ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
         "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
         "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
         "d25bf5f0595bbe24655141438e7a100b"),
        ("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
         "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
         "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
         "387b2eaeb4302aeeb00d291612bb0c00"),
        ("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
         "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
         "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
         "4a7c15e9716ed28dc027beceea1ec40a"),
    ):  # fmt: skip
        secret, key, text, value = map(bytes.fromhex, (seed, public, message, signature))
        assert (verify.public_of(secret), verify.sign(secret, text)) == (key, value)
        assert verify.is_signature(key, text, value) and not verify.is_signature(key, text + b"x", value)
        assert not verify.is_signature(key, text, value[:32] + bytes(32))
