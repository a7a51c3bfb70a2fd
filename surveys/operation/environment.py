"""Strict readers of the environment: what a variable says, or a refusal that says how to put it right.

A variable that is empty counts as not set. A value that breaks its rule raises ImproperlyConfigured with the
variable's name, the value, the rule and an example; values that may hold a password or key are not shown.
"""

import hashlib
import json
import os
import re
import secrets
import tempfile
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from urllib.parse import SplitResult, quote, unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from surveys.rules.origins import ORIGIN, has_its_port, is_holder

HOST_NAME = re.compile(r"\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]", re.IGNORECASE)
# Characters of a list in a header: nginx takes 4096 bytes of them all, of which the respondents' page has 1100 without.
LONGEST_POLICY = 2000
LONGEST_SOCKET_PATH = 100  # bytes; the kernel's own limit is 107, on other systems 103
SHORTEST_KEY = 32  # characters
DEFAULT_SITE = "site"
LOCAL_PORTS = {DEFAULT_SITE: 8000, "demo": 8001}


class LocalSite(NamedTuple):
    """A site on this machine: the name of its folder in var/, and its port."""

    name: str
    port: int

    @property
    def command(self) -> str:
        """Return how a command is typed that speaks to this site."""
        return "manage.py" if self.name == DEFAULT_SITE else f"SITE={self.name} manage.py"


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def refuse(name: str, shown: str, rule: str, example: str) -> NoReturn:
    raise ImproperlyConfigured(f"{name} is {shown}, but {rule}. Example: {name}={example}")


def flag(name: str, default: bool) -> bool:
    value = text(name)
    if not value:
        return default
    if value not in ("true", "false"):
        refuse(name, repr(value), "it must be true or false", "false")
    return value == "true"


def integer(name: str, default: int, low: int, high: int) -> int:
    value = text(name)
    if not value:
        return default
    if not re.fullmatch(r"[0-9]{1,9}", value) or not low <= int(value) <= high:
        refuse(name, repr(value), f"it must be a whole number from {low} to {high}", str(default))
    return int(value)


def directory(name: str, default: Path) -> Path:
    """The absolute path of a directory for this user alone, made if it does not exist yet."""
    path = Path(text(name, str(default))).expanduser()
    if not path.is_absolute():
        refuse(name, repr(str(path)), "it must be an absolute path", "/var/lib/deniable")
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        close_to_others(path)
    except OSError as error:
        refuse(name, repr(str(path)), f"the directory cannot be made: {error.strerror}", "/var/lib/deniable")
    return path


def close_to_others(path: Path) -> None:
    """Take from group and others what they may do with a file or directory, if it is this user's."""
    status = path.lstat()
    if status.st_uid == os.getuid() and status.st_mode & 0o077 and not path.is_symlink():
        path.chmod(status.st_mode & 0o7700)


def local_site(name: str) -> LocalSite:
    """Return the site of this machine that the variable names, by name or by port; without one, that of `make serve`.

    No two sites share a port or a folder."""
    value = text(name, DEFAULT_SITE)
    names = {str(port): local for local, port in LOCAL_PORTS.items()}
    local = names.get(value, value)
    if local in LOCAL_PORTS:
        return LocalSite(local, LOCAL_PORTS[local])
    if not re.fullmatch(r"[1-9][0-9]{0,4}", local) or int(local) > 65535:
        refuse(name, repr(value), "it must be site, demo or a port from 1 to 65535", "demo")
    return LocalSite(local, int(local))


def origin(name: str, default: str) -> SplitResult:
    """Scheme, host and port of the site as its visitors see it, without a path."""
    value = text(name, default)
    rule, example = (
        "it must be http:// or https:// with a host, and nothing after it",
        "https://surveys.example.org",
    )
    try:
        parts = urlsplit(value)
        plain = f"{parts.scheme}://{parts.netloc}" == value and parts.port != 0
    except ValueError:
        refuse(name, repr(value), rule, example)
    host = parts.netloc.removesuffix(f":{parts.port}")
    if not plain or parts.scheme not in ("http", "https") or not HOST_NAME.fullmatch(host):
        refuse(name, repr(value), rule, example)
    return parts


def serving(record: Path) -> str:
    """The address at which `make serve` answers here, as its record says (surveys/operation/embedded/parent.py), so
    that a command beside it names the same one; "" where it does not run."""
    try:
        return str(json.loads(record.read_text(encoding="utf-8"))["url"])
    except (OSError, ValueError, LookupError, TypeError):
        return ""


def second_origin(name: str, first: SplitResult) -> SplitResult | None:
    """Another origin of the same site, None where none is named. Its host differs: cookies do not tell ports apart."""
    if not text(name):
        return None
    second = origin(name, "")
    if second.hostname == first.hostname or second.scheme != first.scheme:
        rule = f"it must have another host than {first.geturl()}, and begin like it"
        refuse(name, repr(second.geturl()), rule, f"{first.scheme}://staff.example.org")
    return second


def hosts(name: str, default: list[str]) -> list[str]:
    """Host names separated by commas. "*" is refused: it would let a request's Host header name the site."""
    names = [part.strip() for part in text(name).split(",") if part.strip()]
    for host in names:
        if not HOST_NAME.fullmatch(host):
            rule = "each must be a host name or address without scheme and port, separated by commas"
            refuse(name, repr(text(name)), rule, "surveys.example.org,10.0.0.7")
    return names or default


def origins(name: str) -> list[str]:
    """Origins of https separated by commas, each as browsers write it; none by default."""
    names = [part.strip() for part in text(name).split(",") if part.strip()]
    if not all(ORIGIN.fullmatch(each) and has_its_port(each) for each in names):
        rule = (
            "each must be https:// with a host in lower case, perhaps a port, and nothing after it, separated by commas"
        )
        refuse(name, repr(text(name)), rule, "https://relay.example.org")
    return names


def holders(name: str) -> list[str]:
    """Origins of pages that may hold others in a frame, separated by commas; none by default."""
    names = [part.strip() for part in text(name).split(",") if part.strip()]
    if not all(map(is_holder, names)):
        rule = (
            "each must be https:// with a host in lower case, perhaps a port, and nothing after it, separated by "
            "commas; a * stands for no host, and http:// is for localhost and 127.0.0.1 alone"
        )
        refuse(name, repr(text(name)), rule, "https://www.example.org")
    if len(" ".join(names)) > LONGEST_POLICY:
        rule = f"all of them together must have at most {LONGEST_POLICY} characters"
        refuse(name, f"{len(names)} origins", rule, "https://www.example.org")
    return names


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Addresses and networks (in CIDR notation) separated by commas; none by default."""
    names = [part.strip() for part in text(name).split(",") if part.strip()]
    try:
        return [ip_network(part) for part in names]
    except ValueError:
        refuse(
            name,
            repr(text(name)),
            "each must be an address or a network, separated by commas",
            "10.0.0.7,172.16.0.0/12",
        )


def secret_key(name: str, path: Path) -> str:
    """The key in the variable, or the one kept in the file at `path`, made there at the first start."""
    if value := text(name):
        return _long_enough(name, value)
    if not path.exists():
        keep_new_key(path, secrets.token_urlsafe(48))
    return path.read_text(encoding="ascii")


def older_keys(name: str) -> list[str]:
    """Keys separated by commas, with which nothing is signed any more and what was signed is still read."""
    return [_long_enough(name, key.strip()) for key in text(name).split(",") if key.strip()]


def _long_enough(name: str, key: str) -> str:
    if len(key) < SHORTEST_KEY:
        shown = f"{len(key)} characters long"
        refuse(name, shown, f"it must have at least {SHORTEST_KEY}", secrets.token_urlsafe(48))
    return key


def keep_new_key(path: Path, key: str) -> None:
    """Web and worker may start at the same moment: the key is written whole under a name of its own, and
    linking it into place succeeds for one of them only."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # mkstemp's mode is 600
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(key)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)


def page(name: str) -> str:
    """The address of a page, or nothing."""
    value = text(name)
    if value and not re.fullmatch(r"https?://[^\s\"'<>]+", value):
        refuse(
            name,
            repr(value),
            "it must be the address of a page, http:// or https://",
            "https://example.org/deniable.git",
        )
    return value


def contact(name: str) -> str:
    """A link to where people write to: the address of a page, or an email address; or nothing."""
    value = text(name)
    if re.fullmatch(r"[^\s\"'<>@:/]+@[^\s\"'<>@:/]+", value):
        return f"mailto:{value}"
    if value and not re.fullmatch(r"https?://[^\s\"'<>]+", value):
        rule = "it must be an e-mail address or the address of a page, http:// or https://"
        refuse(name, repr(value), rule, "surveys@example.org")
    return value


def database(name: str, default_file: Path) -> dict[str, Any]:
    """Django's entry for the database of a postgresql:// or sqlite:/// URL; without one, SQLite in a file."""
    value = text(name, f"sqlite:///{quote(str(default_file))}")
    rule = "it must be a postgresql:// URL, or sqlite:/// with the absolute path of a file"
    example = "postgresql://deniable:password@db.example.org/deniable"
    scheme = value.partition("://")[0]
    shown = f"a URL of another kind ({scheme[:20]!r})" if "://" in value else "not a URL"
    if scheme not in ("postgresql", "postgres", "sqlite"):
        refuse(name, shown, rule, example)
    try:
        entry = dict(dj_database_url.parse(value, conn_max_age=None, conn_health_checks=True))
    except ValueError:
        refuse(name, "malformed", rule, example)
    if not entry["NAME"]:
        refuse(name, "without a database name", rule, example)
    return durable_sqlite(name, entry) if scheme == "sqlite" else prepared_postgresql(entry)


# Where the database's machine vanishes without a word, whoever waits for it hears so within half a minute. The reports
# of a whole web process wait for one connection.
NOTICE_SILENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


def prepared_postgresql(entry: dict[str, Any]) -> dict[str, Any]:
    """The intake's one statement is prepared once per connection: planning it anew costs half as much again."""
    entry["OPTIONS"] = NOTICE_SILENCE | {"prepare_threshold": 5} | entry.get("OPTIONS", {})
    return entry


def durable_sqlite(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Web and worker share the file: writers queue for its lock from the start of a transaction (a lock
    taken half-way could only fail), and a commit has reached the disk before it is acknowledged."""
    path = Path(str(entry["NAME"]))
    if not path.is_absolute():
        rule = "SQLite needs the absolute path of a file"
        refuse(name, f"the relative path {str(path)!r}", rule, "sqlite:////var/lib/deniable/deniable.sqlite3")
    entry["OPTIONS"] = {
        "timeout": 20,  # seconds, as STATEMENT_SECONDS for PostgreSQL
        "transaction_mode": "IMMEDIATE",
        # secure_delete: what is deleted or shortened is overwritten with zeros.
        "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON",
    }
    # Tests use a real file as well: a database in memory has neither a log nor these locks.
    entry["TEST"] = {"NAME": str(path.with_name(f"test_{path.name}"))}
    return entry


def broker(name: str, socket: Path) -> str:
    """The URL of Redis; without one, the embedded Redis on its unix socket."""
    value = text(name)
    if not value:
        return f"redis+socket://{quote(str(socket))}"
    try:
        parts = urlsplit(value)
        ok = parts.scheme in ("redis", "rediss", "redis+socket") and bool(parts.hostname or parts.path)
        ok = ok and parts.port != 0
    except ValueError:
        ok = False
    if not ok:
        rule = "it must be a redis://, rediss:// or redis+socket:// URL"
        refuse(name, "not one of those URLs", rule, "redis://redis.example.org:6379/0")
    return value


_MAIL = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}  # with their usual ports


def mail(name: str) -> dict[str, str | int | bool]:
    """Django's settings for the mail server of a URL; without one, no host."""
    value = text(name)
    rule = "it must be smtps://user:password@host, smtp+starttls://user:password@host, or smtp://127.0.0.1"
    try:
        parts = urlsplit(value)
        ok = parts.scheme in _MAIL and bool(parts.hostname) and parts.port != 0 and not parts.path.strip("/")
        ok = ok and (parts.scheme != "smtp" or parts.hostname in ("127.0.0.1", "::1", "localhost"))
    except ValueError:
        ok = False
    if value and not ok:
        refuse(name, "not such a URL, or would send links over a network in clear", rule, "smtps://mail.example.org")
    return {
        "EMAIL_HOST": parts.hostname or "" if value else "",
        "EMAIL_PORT": parts.port or _MAIL[parts.scheme] if value else 0,
        "EMAIL_HOST_USER": unquote(parts.username or "") if value else "",
        "EMAIL_HOST_PASSWORD": unquote(parts.password or "") if value else "",
        "EMAIL_USE_SSL": value.startswith("smtps:"),
        "EMAIL_USE_TLS": value.startswith("smtp+starttls:"),
    }


def sender(name: str, needed: bool) -> str:
    """The address that letters come from, alone or behind a name."""
    value = text(name)
    if (value or needed) and not re.fullmatch(r"[^<>@\s]+@[^<>@\s]+|[^<>@\r\n]+ <[^<>@\s]+@[^<>@\s]+>", value):
        refuse(name, repr(value), "it must be a mail address where MAIL_URL is set", "surveys@example.org")
    return value


def socket_path(data: Path, name: str) -> Path:
    """The path at which a part of the embedded system listens: in the data directory, unless that path is too long for
    a socket.

    The kernel holds a unix socket's path in about a hundred bytes. A longer one falls back to a directory of
    this user and this data directory under the system's temporary directory, the same for every process.
    """
    socket = data / name
    if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
        return socket
    mark = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    return Path(tempfile.gettempdir(), f"deniable-{os.getuid()}-{mark}", name)
