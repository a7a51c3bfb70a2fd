"""Marks that a request carries, and every place of a running system that could have kept one."""

import base64
import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import psycopg
import redis
from psycopg import sql

from surveys.operation.environment import socket_path
from tests.services.system import ProductionSystem, System

Places = Iterator[tuple[str, bytes]]
"""(where, content), place by place."""


def forms(mark: str) -> set[bytes]:
    """Return the bytes in which a site could have kept a mark: plain, encoded, packed as an IP address, or hashed."""
    plain = mark.encode()
    found = {plain, plain.hex().encode(), base64.b64encode(plain).rstrip(b"=")}
    for algorithm in ("md5", "sha1", "sha256"):
        hashed = hashlib.new(algorithm, plain)
        found |= {hashed.digest(), hashed.hexdigest().encode()}
    try:
        packed = ip_address(mark).packed
    except ValueError:
        return found
    # The four bytes of an IPv4 address would turn up by chance.
    return found | {packed.hex().encode()} | ({packed} if len(packed) == 16 else set())


def tables(system: System) -> Places:
    """Yield every row of every table as a dump shows it, including the database's catalogue."""
    if isinstance(system, ProductionSystem):
        yield from _postgres_tables(system.database_url)
    else:
        connection = sqlite3.connect(system.data / "deniable.sqlite3", timeout=20)
        yield "dump of SQLite", "\n".join(connection.iterdump()).encode()
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            rows = connection.execute(f'SELECT * FROM "{name}"').fetchall()
            yield (
                f"table {name}",
                repr(rows).encode() + b"".join(c for row in rows for c in row if isinstance(c, bytes)),
            )
        connection.close()


def _postgres_tables(url: str) -> Places:
    listed = "SELECT schemaname, tablename FROM pg_tables ORDER BY 1, 2"
    with psycopg.connect(url) as connection:
        for schema, name in connection.execute(listed).fetchall():
            copy = sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(schema, name))
            with connection.cursor().copy(copy) as rows:
                yield f"table {schema}.{name}", b"".join(map(bytes, rows))


def broker(system: System) -> Places:
    """Yield every key of Redis in every database, with its value."""
    for number in range(16):
        with _redis(system, number) as client:
            for key in client.scan_iter("*", count=1000):
                yield f"Redis key {key!r}", key + b" " + repr(_value(client, key)).encode()


def keep_in_broker(system: System, key: str, value: str) -> None:
    with _redis(system, 0) as client:
        client.set(key, value)


def forget_in_broker(system: System, key: str) -> None:
    with _redis(system, 0) as client:
        client.delete(key)


def _redis(system: System, number: int) -> Any:
    if isinstance(system, ProductionSystem):
        return redis.Redis(host="127.0.0.1", port=system.redis.port, db=number)
    return redis.Redis(unix_socket_path=str(socket_path(system.data, "redis.sock")), db=number)


def _value(client: Any, key: bytes) -> Any:
    readers = {
        b"string": client.get,
        b"list": lambda key: client.lrange(key, 0, -1),
        b"set": client.smembers,
        b"hash": client.hgetall,
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        b"stream": client.xrange,
        b"none": lambda key: None,  # a worker took the task between the two calls
    }
    return readers[client.type(key)](key)


def files(system: System) -> Places:
    """Yield every file of the data directory (logs and database), and every file of Redis."""
    directories = [system.data]
    if isinstance(system, ProductionSystem):
        directories.append(system.redis.directory)
    for directory in directories:
        for path in sorted(directory.rglob("*")):
            with suppress(FileNotFoundError):  # the file was deleted meanwhile
                if path.is_file():
                    yield f"file {path.relative_to(directory)}", path.read_bytes()


def logs(system: System, *others: Path) -> Places:
    """Yield the log files of the processes."""
    for place, content in files(system):
        if place.endswith((".log", ".log.1")):
            yield place, content
    for path in others:
        yield f"log {path.name}", path.read_bytes()


def found(marks: dict[bytes, str], places: Places) -> list[str]:
    """Return the places that contain a mark; `marks` maps each form of a mark to its description."""
    return [f"{what} in {where}" for where, content in places for form, what in marks.items() if form in content]
