"""Posted alerts are signed as Standard Webhooks specifies."""

from datetime import UTC, datetime

from surveys.designer.alerts import signature

# The specification's example, which its implementations share.
SECRET, NAME, MOMENT = "whsec_plJ3nmyCDGBKInavdOK15jsl", "msg_loFOjxBNrRLzqYUf", 1731705121
BODY = b'{"event_type":"ping","data":{"success":true}}'


def test_the_shared_example_has_its_signature():
    sent = signature.headers([SECRET], NAME, datetime.fromtimestamp(MOMENT, UTC), BODY)
    assert sent == {
        "webhook-id": NAME,
        "webhook-timestamp": str(MOMENT),
        "webhook-signature": "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
    }


def test_a_secret_is_made_of_the_row_and_the_sites_key(settings):
    salt = signature.new_salt()
    own = signature.secret(salt)
    assert own.startswith("whsec_") and own == signature.secret(salt) != signature.secret(signature.new_salt())
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another" * 10
    assert signature.secret(salt) != own
    settings.SECRET_KEY_FALLBACKS = [old]
    assert signature.secrets_of(salt) == [signature.secret(salt), own], "receivers go on while a key is exchanged"
    sent = signature.headers(signature.secrets_of(salt), NAME, datetime.fromtimestamp(MOMENT, UTC), BODY)
    assert signature.signature(own, NAME, str(MOMENT), BODY) in sent["webhook-signature"].split(" ")
