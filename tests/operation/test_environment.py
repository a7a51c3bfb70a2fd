"""The readers of the environment: a wrong value is refused with its name, itself, the rule and an example."""

import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from surveys import CONTACT
from surveys.operation import environment
from surveys.transparency.log import settings as log_settings

SECRET = "hunter2"
WITNESS = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"


@pytest.fixture
def refusal(monkeypatch):
    """Return a function that reads a wrong value and returns the refusal's message."""

    def read(reader, name, value, *arguments):
        monkeypatch.setenv(name, value)
        with pytest.raises(ImproperlyConfigured) as refused:
            reader(name, *arguments)
        return str(refused.value)

    return read


@pytest.fixture
def given(monkeypatch):
    """Return a function that reads a value and returns the result."""

    def read(reader, name, value, *arguments):
        monkeypatch.setenv(name, value)
        return reader(name, *arguments)

    return read


FILE = Path("/data/deniable.sqlite3")
READERS = {
    "DEBUG": (environment.flag, False),
    "WEB_THREADS": (environment.integer, 16, 1, 256),
    "SITE": (environment.local_site,),
    "DATA_DIR": (environment.directory, Path("/data")),
    "SITE_URL": (environment.origin, "http://127.0.0.1:8000"),
    "ALLOWED_HOSTS": (environment.hosts, ["localhost"]),
    "TRUSTED_PROXIES": (environment.networks,),
    "FRAME_HOSTS": (environment.holders,),
    "RELAYS": (environment.origins,),
    "SECRET_KEY": (environment.secret_key, Path("/data/secret_key")),
    "SECRET_KEY_FALLBACKS": (environment.older_keys,),
    "LOG_KEY": (log_settings.key,),
    "LOG_WITNESSES": (log_settings.witnesses,),
    "SOURCE_URL": (environment.page,),
    "SITE_CONTACT": (environment.contact,),
    "DATABASE_URL": (environment.database, FILE),
    "REDIS_URL": (environment.broker, Path("/data/redis.sock")),
}
SHOWN = {
    "DEBUG": ["1", "True", "yes", "on", "FALSE"],
    "WEB_THREADS": ["0", "257", "-1", "1.5", "1e3", "٣", "0x10", "sixteen", "10000000000"],
    "TRUSTED_PROXIES": ["proxy.example.org", "10.0.0.0/33", "10.0.0.1/8", "*"],
    "RELAYS": [
        *("http://relay.example.org", "https://relay.example.org/", "https://Relay.example.org", "relay.example.org"),
        *(
            "https://u@relay.example.org",
            "https://relay.example.org:0",
            "https://a.org;script-src",
            "https://a.org/..",
            "*",
        ),
    ],
    "FRAME_HOSTS": [
        *("*", "https://*", "https://*.example.org", "https:", "example.org", "'self'", "http://www.example.org"),
        *(
            "https://a.org/",
            "https://a.org/b",
            "https://A.org",
            "https://me@a.org",
            "https://a.org:443",
            "https://a.org:0",
        ),
        *(
            "http://localhost.example.org",
            "http://localhost:80",
            "https://a.org;script-src",
            "https://a.org https://b.org",
        ),
        "https://a.org,*",
    ],
    "SITE": ["other", "Demo", "../demo", "0", "65536", "08002", "8002/", "-1", "٨٠٠٢"],
    "DATA_DIR": ["var", "../var", "/dev/null/var"],
    "SITE_URL": [
        *("surveys.example.org", "ftp://example.org", "http://", "https://example.org/", "https://example.org/a"),
        *("http://example.org?q", "http://user@example.org", "http://example.org:99999", "http://exa mple.org"),
        *("http://[::1", "http://example.org:0", "//example.org"),
    ],
    "LOG_WITNESSES": [
        *("one.example", "one.example+00000000+BOvN63jn", "PeterNeumann+c74f20a3+ARpc2QcU"),
        ",".join([WITNESS, WITNESS]),
    ],
    "SOURCE_URL": ["example.org", "ftp://example.org", "https://", "javascript:alert(1)", "https://a b"],
    "SITE_CONTACT": [
        "example.org",
        "javascript:alert(1)",
        "mailto:a@example.org",
        "a@b@example.org",
        "a b@example.org",
    ],
    "ALLOWED_HOSTS": ["*", "https://example.org", "example.org:80", "a,*", "exam ple.org", "example.org/", "-"],
}
HIDDEN = {
    "SECRET_KEY": ["short", SECRET, "x" * 31],
    "SECRET_KEY_FALLBACKS": ["short", f"{'k' * 32},{SECRET}"],
    "LOG_KEY": [SECRET, f"PRIVATE+KEY+name+00000000+{SECRET}", f"PRIVATE+KEY+{SECRET}"],
    "DATABASE_URL": [
        *(SECRET, f"mysql://root:{SECRET}@localhost/x", f"postgresql://root:{SECRET}@localhost"),
        *(
            f"postgresql://root:{SECRET}@localhost:port/x",
            f"postgres:root:{SECRET}",
            "sqlite:///here.sqlite3",
            "sqlite://",
        ),
    ],
    "REDIS_URL": [SECRET, f"http://:{SECRET}@localhost", f"redis://:{SECRET}@localhost:99999", "redis://", "redis:"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in SHOWN.items() for value in values])
def test_a_refusal_names_variable_value_rule_and_example(refusal, given, name, value):
    reader, *arguments = READERS[name]
    message = refusal(reader, name, value, *arguments)
    start, _, example = message.partition(f". Example: {name}=")
    assert start.startswith(f"{name} is {value!r}, but ") and len(start.partition(", but ")[2].split()) >= 5
    if name != "DATA_DIR":  # reading it makes the directory
        given(reader, name, example, *arguments)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in HIDDEN.items() for value in values])
def test_a_value_that_may_hold_a_secret_is_not_shown(refusal, given, name, value):
    reader, *arguments = READERS[name]
    message = refusal(reader, name, value, *arguments)
    start, _, example = message.partition(f". Example: {name}=")
    assert start.startswith(f"{name} is ") and ", but " in start
    assert SECRET not in message
    given(reader, name, example, *arguments)


@pytest.mark.parametrize("name", [*READERS])
@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_variable_counts_as_not_set(given, monkeypatch, tmp_path, name, empty):
    reader, *arguments = READERS[name]
    if name in ("DATA_DIR", "SECRET_KEY"):
        arguments = [tmp_path / "key"] if name == "SECRET_KEY" else [tmp_path]
    value = given(reader, name, empty, *arguments)
    monkeypatch.delenv(name)
    assert reader(name, *arguments) == value


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("DEBUG", "true", True),
        ("DEBUG", "false", False),
        ("WEB_THREADS", "256", 256),
        ("FRAME_HOSTS", " https://a.org,http://localhost:8080 ,https://b.org:8443", None),
        ("ALLOWED_HOSTS", " surveys.example.org, 10.0.0.7 ,[::1],.example.net", None),
        ("REDIS_URL", f"rediss://:{SECRET}@redis.example.org:6380/1", None),
        ("REDIS_URL", "redis+socket:///run/redis.sock", None),
        ("SECRET_KEY", "k" * 32, "k" * 32),
        ("SECRET_KEY_FALLBACKS", f"{'k' * 32}, {'j' * 32},", ["k" * 32, "j" * 32]),
    ],
)
def test_values_within_the_rules_are_taken(given, name, value, expected):
    reader, *arguments = READERS[name]
    result = given(reader, name, value, *arguments)
    assert result == expected if expected is not None else result in (value, [p.strip() for p in value.split(",")])


@pytest.mark.parametrize(
    ("value", "site", "command"),
    [
        ("", ("site", 8000), "manage.py"),
        ("8000", ("site", 8000), "manage.py"),
        ("demo", ("demo", 8001), "SITE=demo manage.py"),
        ("8001", ("demo", 8001), "SITE=demo manage.py"),
        ("65535", ("65535", 65535), "SITE=65535 manage.py"),
    ],
)
def test_a_site_of_this_machine_has_a_folder_and_a_port_of_its_own(given, value, site, command):
    local = given(environment.local_site, "SITE", value)
    assert (local, local.command) == (site, command)


def test_the_pages_that_may_hold_others_fit_into_a_header_that_proxies_take(given):
    most = [f"https://{place:031}" for place in range(50)]
    assert len(given(environment.holders, "FRAME_HOSTS", ",".join(most))) == 50
    with pytest.raises(ImproperlyConfigured, match=r"FRAME_HOSTS.*at most 2000 characters"):
        given(environment.holders, "FRAME_HOSTS", ",".join([*most, "https://a.org"]))


def test_a_site_is_an_origin(given):
    parts = given(environment.origin, "SITE_URL", "https://surveys.example.org:8443", "")
    assert (parts.scheme, parts.netloc, parts.port) == ("https", "surveys.example.org:8443", 8443)


@pytest.mark.parametrize("record", ["", "[]", "{}", '{"pid": 1}', "\xff"])
def test_a_record_that_names_no_address_is_none(record, tmp_path):
    (tmp_path / "serve.json").write_text(record, encoding="latin-1")
    assert environment.serving(tmp_path / "serve.json") == environment.serving(tmp_path / "none.json") == ""


def test_a_mail_server_is_reached_encrypted_or_on_this_machine(given, refusal):
    url = f"smtp+starttls://ada%40example.org:{SECRET}@mail.example.org"
    named = given(environment.mail, "MAIL_URL", url)
    assert (named["EMAIL_HOST"], named["EMAIL_PORT"], named["EMAIL_USE_TLS"]) == ("mail.example.org", 587, True)
    assert (named["EMAIL_HOST_USER"], named["EMAIL_HOST_PASSWORD"]) == ("ada@example.org", SECRET)
    assert given(environment.mail, "MAIL_URL", "")["EMAIL_HOST"] == ""
    for wrong in (
        f"smtp://ada:{SECRET}@mail.example.org",
        "mail.example.org",
        "smtps://",
        "smtps://h/x",
        "smtps://h:0",
    ):
        told = refusal(environment.mail, "MAIL_URL", wrong)
        assert "MAIL_URL" in told and SECRET not in told
    assert "MAIL_FROM" in refusal(environment.sender, "MAIL_FROM", "nobody", True)
    assert given(environment.sender, "MAIL_FROM", "Our surveys <s@example.org>", True) == "Our surveys <s@example.org>"


# Databases ------------------------------------------------------------------------------------------------------------


def test_sqlite_commits_durably_and_its_writers_queue(given):
    for url in ("", f"sqlite:///{FILE}"):
        entry = given(environment.database, "DATABASE_URL", url, FILE)
        assert entry["NAME"] == str(FILE) and entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
        assert "synchronous = FULL" in entry["OPTIONS"]["init_command"]
        assert "journal_mode = WAL" in entry["OPTIONS"]["init_command"]


def test_postgresql_keeps_its_connections_and_checks_them(given):
    url = f"postgresql://deniable:{SECRET}@db.example.org/deniable"
    entry = given(environment.database, "DATABASE_URL", url, FILE)
    assert entry["ENGINE"] == "django.db.backends.postgresql" and entry["PASSWORD"] == SECRET
    assert entry["CONN_MAX_AGE"] is None and entry["CONN_HEALTH_CHECKS"] is True


# Files ----------------------------------------------------------------------------------------------------------------


def test_the_data_directory_is_made_for_this_user_alone(given, tmp_path):
    path = given(environment.directory, "DATA_DIR", str(tmp_path / "new"), tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_a_secret_key_is_made_once_and_kept_for_this_user_alone(monkeypatch, tmp_path):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    path, keys = tmp_path / "secret_key", set()
    starts = [threading.Thread(target=lambda: keys.add(environment.secret_key("SECRET_KEY", path))) for _ in range(8)]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert keys == {path.read_text()} and len(path.read_text()) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and list(tmp_path.iterdir()) == [path]


def test_a_socket_stands_in_the_data_directory_unless_its_path_is_too_long(tmp_path):
    assert environment.socket_path(Path("/data"), "redis.sock") == Path("/data/redis.sock")
    far = Path("/data", *["directory"] * 12)
    near = environment.socket_path(far, "redis.sock")
    assert len(os.fsencode(near)) <= environment.LONGEST_SOCKET_PATH
    assert near == environment.socket_path(far, "redis.sock") != environment.socket_path(far / "other", "redis.sock")


# Settings -------------------------------------------------------------------------------------------------------------


def django(tmp_path, code, **variables):
    """Run code with the settings in its own process. Return (status, output)."""
    env = {name: value for name, value in os.environ.items() if name not in READERS}
    env |= {"DATA_DIR": str(tmp_path)} | variables
    command = [sys.executable, *code]
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=env, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_a_command_refuses_a_wrong_setting_in_one_sentence(tmp_path):
    status, output = django(tmp_path, ["manage.py", "check"], DEBUG="yes")
    assert status != 0
    assert output.strip().endswith("DEBUG is 'yes', but it must be true or false. Example: DEBUG=false")


def test_the_deployment_check_finds_nothing(tmp_path):
    """P10."""
    command = ["manage.py", "check", "--deploy"]
    hosts = {"SITE_URL": "https://surveys.example.org", "STAFF_URL": "https://staff.example.org"}
    operator = {"SITE_OPERATOR": "A", "SITE_CONTACT": "a@example.org", "SITE_NOTICE": "https://example.org/privacy"}
    status, output = django(tmp_path, command, **hosts, **operator)
    assert status == 0 and re.findall(r"deniable\.\w+", output) == ([] if CONTACT else ["deniable.W108"]), output


def test_readme_and_security_name_the_place_to_ask():
    for name in ("README.md", "SECURITY.md"):
        assert (CONTACT or "There is no public contact yet") in (settings.BASE_DIR / name).read_text()


def test_the_deployment_check_asks_who_runs_the_site(tmp_path):
    hosts = {"SITE_URL": "https://surveys.example.org", "STAFF_URL": "https://staff.example.org"}
    status, output = django(tmp_path, ["manage.py", "check", "--deploy"], **hosts)
    assert status == 0 and output.count("deniable.W106") == 3, output


def test_a_second_host_is_named_and_its_cookies_are_its_own(tmp_path):
    code = """
from surveys import settings as s
assert (s.SITE_URL, s.STAFF_URL) == ("https://a.example.org", "https://b.example.org:444")
assert s.STAFF_HOST == "b.example.org"
assert s.ALLOWED_HOSTS[-2:] == ["a.example.org", "b.example.org"] and s.CSRF_TRUSTED_ORIGINS == [s.STAFF_URL]
assert s.SESSION_COOKIE_NAME.startswith("__Host-") and s.CSRF_COOKIE_NAME.startswith("__Host-")
"""
    one, two = {"SITE_URL": "https://a.example.org"}, {"STAFF_URL": "https://b.example.org:444"}
    status, output = django(tmp_path, ["-c", code], **one, **two)
    assert status == 0, output
    status, output = django(
        tmp_path, ["-c", "from surveys import settings as s; print(s.STAFF_URL, s.STAFF_HOST)"], **one
    )
    assert output == "https://a.example.org None\n"


@pytest.mark.parametrize("staff", ["https://a.example.org:444", "http://b.example.org", "https://A.example.org", "b"])
def test_a_second_host_that_shares_cookies_or_has_no_tls_is_refused(tmp_path, staff):
    status, output = django(tmp_path, ["manage.py", "check"], SITE_URL="https://a.example.org", STAFF_URL=staff)
    assert status == 1 and output.startswith(f"STAFF_URL is '{staff}'")


def test_a_site_with_https_is_for_https_only(tmp_path):
    code = """
from surveys import settings as s
assert s.SESSION_COOKIE_SECURE and s.CSRF_COOKIE_SECURE and s.SECURE_SSL_REDIRECT and s.SECURE_HSTS_SECONDS > 10**7
assert s.ALLOWED_HOSTS == ["localhost", "127.0.0.1", "[::1]", "surveys.example.org"] and not s.DEBUG
"""
    status, output = django(tmp_path, ["-c", code], SITE_URL="https://surveys.example.org")
    assert status == 0, output
