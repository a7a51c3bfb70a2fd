"""A mail server on a free port of this machine that receives letters by SMTP.

The part of an email address before the @ decides the answer. `refused` gets 550. `later` gets 451 at its first try.
`rejected` gets 554 after the letter. `silent` gets no answer after the letter at its first try, although the server
took it. `leaving` gets 421. `broken` never gets an answer: the connection ends.
"""

import asyncio
import re
import threading
from collections import Counter
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage

OK, READY, GO, BYE = "250 OK", "220 mail.test ESMTP", "354 go on", "221 bye"


@dataclass
class _Dialog:
    address: str = ""
    quit: bool = False


class MailServer:
    """A mail server. `letters` has all letters in order of arrival. It refuses every sender while `refuses` is true."""

    def __init__(self) -> None:
        self.letters: list[tuple[str, EmailMessage]] = []
        self.refuses = False
        self._tries: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        started = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop)
        self._server = started.result(10)
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.url = f"smtp://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def settings(self) -> dict[str, str]:
        """Return the settings of a system that sends its letters here, as fast as it can."""
        return {"MAIL_URL": self.url, "MAIL_FROM": "surveys@example.org", "MAIL_PER_MINUTE": "6000"}

    def to(self, address: str) -> list[EmailMessage]:
        return [letter for recipient, letter in list(self.letters) if recipient == address]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        dialog, answer = _Dialog(), READY
        try:
            while answer:
                writer.write(f"{answer}\r\n".encode())
                await writer.drain()
                line = "" if dialog.quit else (await reader.readline()).decode()
                answer = await self._answer(dialog, line, reader, writer) if line else ""
        except ConnectionError:
            pass
        writer.close()

    async def _answer(
        self, dialog: _Dialog, line: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> str:
        """Return the answer to a line; empty to cut the connection."""
        verb = line[:4].upper()
        if verb == "QUIT":
            dialog.quit = True
            return BYE
        if verb == "MAIL":
            sender = re.fullmatch(r"MAIL FROM:<[!-;=?-~]+@[!-;=?-~]+>( \S+)*\s*", line, re.IGNORECASE)
            return "501 no address" if sender is None else "550 not from you" if self.refuses else OK
        if verb == "RCPT":
            dialog.address = line.partition("<")[2].partition(">")[0]
            return self._recipient(dialog.address)
        if verb == "DATA":
            writer.write(f"{GO}\r\n".encode())
            return self._letter(dialog, (await reader.readuntil(b"\r\n.\r\n"))[:-5])
        return OK

    def _recipient(self, address: str) -> str:
        self._tries[address] += 1
        name = address.partition("@")[0]
        later = name == "later" and self._tries[address] == 1
        if name == "broken":
            return ""
        if name == "leaving":
            return "421 too much at once"
        return "550 no such person" if name == "refused" else "451 come back" if later else OK

    def _letter(self, dialog: _Dialog, data: bytes) -> str:
        name = dialog.address.partition("@")[0]
        if name == "rejected":
            return "554 not this"
        letter = message_from_bytes(data.replace(b"\r\n..", b"\r\n."), _class=EmailMessage, policy=policy.default)
        self.letters.append((dialog.address, letter))
        return "" if name == "silent" and self._tries[dialog.address] == 1 else OK
