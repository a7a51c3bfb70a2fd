"""Strict readers of environment variables.

An empty variable counts as unset. An invalid value raises ImproperlyConfigured with the variable's name, the value, the
rule and an example. Values that may hold a password or key are not shown.
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

from surveys.rules.mail import is_address
from surveys.rules.origins import ORIGIN, has_its_port, is_holder

HOST_NAME = re.compile(r"\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]", re.IGNORECASE)
# Characters of a list in a header. nginx takes 4096 bytes of headers, and the respondents' page has 1100 without lists.
LONGEST_POLICY = 2000
LONGEST_SOCKET_PATH = 100  # bytes; the kernel's limit is 107, on other systems 103
SHORTEST_KEY = 32  # characters
DEFAULT_SITE = "site"
LOCAL_PORTS = {DEFAULT_SITE: 8000, "demo": 8001}


class LocalSite(NamedTuple):
    """A site on this machine: the name of its folder in var/, and its port."""

    name: str
    port: int

    @property
    def command(self) -> str:
        """Return a command for this site, as a user types it."""
        return "manage.py" if self.name == DEFAULT_SITE else f"SITE={self.name} manage.py"


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def parts(name: str) -> list[str]:
    """Return the comma-separated values of a variable."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


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
    """Return the absolute path of a directory for this user alone; make a missing one."""
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
    """Remove the permissions of group and others from a file or directory of this user."""
    status = path.lstat()
    if status.st_uid == os.getuid() and status.st_mode & 0o077 and not path.is_symlink():
        path.chmod(status.st_mode & 0o7700)


def local_site(name: str) -> LocalSite:
    """Return the local site that the variable names, by name or port; by default the site of `make serve`.

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
    """Return scheme, host and port of the site as visitors see it, without a path."""
    value = text(name, default)
    rule, example = "it must be http:// or https:// with a host, and nothing after it", "https://surveys.example.org"
    try:
        url = urlsplit(value)
        plain = f"{url.scheme}://{url.netloc}" == value and url.port != 0
    except ValueError:
        refuse(name, repr(value), rule, example)
    host = url.netloc.removesuffix(f":{url.port}")
    if not plain or url.scheme not in ("http", "https") or not HOST_NAME.fullmatch(host):
        refuse(name, repr(value), rule, example)
    return url


def serving(record: Path) -> str:
    """Return the URL of `make serve` from its record (surveys/operation/embedded/parent.py), so that other commands use
    the same URL; "" if it does not run."""
    try:
        return str(json.loads(record.read_text(encoding="utf-8"))["url"])
    except (OSError, ValueError, LookupError, TypeError):
        return ""


def second_origin(name: str, first: SplitResult) -> SplitResult | None:
    """Return another origin of the same site; None if unset. Its host must differ, because cookies ignore ports."""
    if not text(name):
        return None
    second = origin(name, "")
    if second.hostname == first.hostname or second.scheme != first.scheme:
        rule = f"it must have another host than {first.geturl()}, and begin like it"
        refuse(name, repr(second.geturl()), rule, f"{first.scheme}://staff.example.org")
    return second


def hosts(name: str, default: list[str]) -> list[str]:
    """Return comma-separated host names. "*" is refused, because any Host header could then name the site."""
    names = parts(name)
    for host in names:
        if not HOST_NAME.fullmatch(host):
            rule = "each must be a host name or IP address without scheme and port, separated by commas"
            refuse(name, repr(text(name)), rule, "surveys.example.org,10.0.0.7")
    return names or default


def origins(name: str) -> list[str]:
    """Return comma-separated https origins, as browsers write them; none by default."""
    names = parts(name)
    if not all(ORIGIN.fullmatch(each) and has_its_port(each) for each in names):
        rule = (
            "each must be https:// with a host in lower case, perhaps a port, and nothing after it, with commas between"
        )
        refuse(name, repr(text(name)), rule, "https://relay.example.org")
    return names


def holders(name: str) -> list[str]:
    """Return comma-separated origins whose pages may show a survey in a frame; none by default."""
    names = parts(name)
    if not all(map(is_holder, names)):
        rule = (
            "each must be https:// with a host in lower case, perhaps a port, and nothing after it, separated by "
            "commas; * is not allowed, and http:// is for localhost and 127.0.0.1 alone"
        )
        refuse(name, repr(text(name)), rule, "https://www.example.org")
    if len(" ".join(names)) > LONGEST_POLICY:
        rule = f"all of them together must have at most {LONGEST_POLICY} characters"
        refuse(name, f"{len(names)} origins", rule, "https://www.example.org")
    return names


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Return comma-separated IP addresses and networks (in CIDR notation); none by default."""
    try:
        return [ip_network(part) for part in parts(name)]
    except ValueError:
        rule = "each must be an IP address or a network, separated by commas"
        refuse(name, repr(text(name)), rule, "10.0.0.7,172.16.0.0/12")


def secret_key(name: str, path: Path) -> str:
    """Return the key in the variable, or in the file at `path`, which the first start makes."""
    if value := text(name):
        return _long_enough(name, value)
    if not path.exists():
        keep_new_key(path, secrets.token_urlsafe(48))
    return path.read_text(encoding="ascii")


def older_keys(name: str) -> list[str]:
    """Return comma-separated keys that no longer sign but still verify."""
    return [_long_enough(name, key) for key in parts(name)]


def _long_enough(name: str, key: str) -> str:
    if len(key) < SHORTEST_KEY:
        shown = f"{len(key)} characters long"
        refuse(name, shown, f"it must have at least {SHORTEST_KEY}", secrets.token_urlsafe(48))
    return key


def keep_new_key(path: Path, key: str) -> None:
    """Write a new key, unless another process was first. Several processes may start at once, and linking the written
    file into place succeeds for one of them."""
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
    """Return the URL of a page, or ""."""
    value = text(name)
    if value and not re.fullmatch(r"https?://[^\s\"'<>]+", value):
        rule = "it must be the URL of a page, http:// or https://"
        refuse(name, repr(value), rule, "https://example.org/deniable.git")
    return value


def contact(name: str) -> str:
    """Return a link for contact: a page's URL, or mailto: with an email address; or ""."""
    value = text(name)
    if re.fullmatch(r"[^\s\"'<>@:/]+@[^\s\"'<>@:/]+", value):
        return f"mailto:{value}"
    if value and not re.fullmatch(r"https?://[^\s\"'<>]+", value):
        rule = "it must be an email address or the URL of a page, http:// or https://"
        refuse(name, repr(value), rule, "surveys@example.org")
    return value


def database(name: str, default_file: Path) -> dict[str, Any]:
    """Return Django's entry for a database with a postgresql:// or sqlite:/// URL; by default SQLite in a file."""
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


# A lost database machine is noticed within half a minute, because all reports of a web process wait for one connection.
NOTICE_SILENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


def prepared_postgresql(entry: dict[str, Any]) -> dict[str, Any]:
    """Add options to the entry. The intake's statement is prepared once per connection, which saves a third."""
    entry["OPTIONS"] = NOTICE_SILENCE | {"prepare_threshold": 5} | entry.get("OPTIONS", {})
    return entry


def durable_sqlite(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Add options to the entry. Web and worker share the file. Writers queue for its lock at the start of a
    transaction, because a lock taken later could only fail. A commit is on the disk before it is acknowledged."""
    path = Path(str(entry["NAME"]))
    if not path.is_absolute():
        rule = "SQLite needs the absolute path of a file"
        refuse(name, f"the relative path {str(path)!r}", rule, "sqlite:////var/lib/deniable/deniable.sqlite3")
    entry["OPTIONS"] = {
        "timeout": 20,  # like STATEMENT_SECONDS for PostgreSQL
        "transaction_mode": "IMMEDIATE",
        # secure_delete overwrites deleted or shortened data with zeros.
        "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON",
    }
    # Tests use a real file, too: a database in memory has neither a log nor these locks.
    entry["TEST"] = {"NAME": str(path.with_name(f"test_{path.name}"))}
    return entry


def broker(name: str, socket: Path) -> str:
    """Return Redis's URL; by default the embedded Redis on its unix socket."""
    value = text(name)
    if not value:
        return f"redis+socket://{quote(str(socket))}"
    try:
        url = urlsplit(value)
        ok = url.scheme in ("redis", "rediss", "redis+socket") and bool(url.hostname or url.path)
        ok = ok and url.port != 0
    except ValueError:
        ok = False
    if not ok:
        rule = "it must be a redis://, rediss:// or redis+socket:// URL"
        refuse(name, "not one of those URLs", rule, "redis://redis.example.org:6379/0")
    return value


_MAIL = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}  # with their default ports


def mail(name: str) -> dict[str, str | int | bool]:
    """Return Django's settings for the mail server at a URL; by default no host."""
    value = text(name)
    rule = "it must be smtps://user:password@host, smtp+starttls://user:password@host, or smtp://127.0.0.1"
    try:
        url = urlsplit(value)
        ok = url.scheme in _MAIL and bool(url.hostname) and url.port != 0 and not url.path.strip("/")
        ok = ok and (url.scheme != "smtp" or url.hostname in ("127.0.0.1", "::1", "localhost"))
    except ValueError:
        ok = False
    if value and not ok:
        refuse(name, "not such a URL, or would send links over a network unencrypted", rule, "smtps://mail.example.org")
    return {
        "EMAIL_HOST": url.hostname or "" if value else "",
        "EMAIL_PORT": url.port or _MAIL[url.scheme] if value else 0,
        "EMAIL_HOST_USER": unquote(url.username or "") if value else "",
        "EMAIL_HOST_PASSWORD": unquote(url.password or "") if value else "",
        "EMAIL_USE_SSL": value.startswith("smtps:"),
        "EMAIL_USE_TLS": value.startswith("smtp+starttls:"),
    }


def sender(name: str, needed: bool) -> str:
    """Return the sender's email address, alone or after a name. A name with punctuation is quoted, because a comma
    outside quotes would begin another address, and no email could be sent."""
    value = text(name)
    named = re.fullmatch(r'"?([^<>@"\\\r\n]+)"? <([^<>\s]+)>', value)
    shown, address = named.groups() if named else ("", value)
    if (value or needed) and not is_address(address):
        rule = "it must be an email address, or a name and <address>, if MAIL_URL is set"
        refuse(name, repr(value), rule, "surveys@example.org")
    if not shown:
        return value
    return f"{shown} <{address}>" if re.fullmatch(r"[\w ]+", shown) else f'"{shown}" <{address}>'


def mailbox(name: str) -> str:
    """Return an email address or ""."""
    value = text(name)
    if value and not is_address(value):
        refuse(name, repr(value), "it must be an email address", "operator@example.org")
    return value


def socket_path(data: Path, name: str) -> Path:
    """Return the path at which a part of the embedded system listens. It is in the data directory unless that makes it
    too long for a socket.

    The kernel stores a unix socket's path in about 100 bytes. A longer path is replaced by a directory in the system's
    temporary directory, one for this user and data directory. It is the same for every process."""
    socket = data / name
    if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
        return socket
    mark = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    return Path(tempfile.gettempdir(), f"deniable-{os.getuid()}-{mark}", name)
