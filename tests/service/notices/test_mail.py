"""E-mail: what a real mail server on this machine gets, and what happens when it refuses."""

from __future__ import annotations

import email
import email.policy
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

import pytest

from tradingagents.errors import ConfigurationError
from tradingagents.service.notices.mail import Mailbox
from tradingagents.service.notices.message import MessageNotSent, OutgoingMessage
from tradingagents.service.notices.posting import Patience

QUICK = Patience(tries=3, try_seconds=2.0, first_pause=0.01)
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
PASSWORD = "p%40ss"  # noqa: S105 - a canary


class MailServer(socketserver.ThreadingTCPServer):
    """A mail server that answers a command with what a test gives it, in order, and else as usual."""

    daemon_threads = True

    def __init__(self, answers: dict[str, list[str]]) -> None:
        self.answers, self.commands, self.mails = answers, [], []
        self.commands: list[str] = []
        self.mails: list[bytes] = []
        super().__init__(("127.0.0.1", 0), _Conversation)


class _Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.say("220 here")
        while line := self.rfile.readline():
            command = line.decode().strip()
            verb = command.split()[0].upper()
            self.server.commands.append(f"{verb}{command[len(verb) :]}")
            if told := self.server.answers.get(verb):
                self.say(told.pop(0))
                if verb == "QUIT":
                    return
                continue
            match verb:
                case "EHLO":
                    self.say("250-here\r\n250 AUTH PLAIN")
                case "AUTH":
                    self.say("235 ok")
                case "DATA":
                    self.say("354 go on")
                    self.server.mails.append(self.read_mail())
                    self.say("250 ok")
                case "QUIT":
                    self.say("221 bye")
                    return
                case _:
                    self.say("250 ok")

    def read_mail(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line)
        return b"".join(lines)

    def say(self, words: str) -> None:
        self.wfile.write(words.encode() + b"\r\n")


@contextmanager
def mail_server(**answers: list[str]) -> Iterator[MailServer]:
    with MailServer(answers) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


def mailbox(server: MailServer, **changed: str) -> Mailbox:
    environ = {
        "TRADINGAGENTS_SMTP_URL": f"smtp://user:{PASSWORD}@127.0.0.1:{server.server_address[1]}",
        "TRADINGAGENTS_MAIL_FROM": "desk@example.org",
        "TRADINGAGENTS_MAIL_TO": "Ann <ann@example.org>, bob@example.org",
    }
    return Mailbox({**environ, **{f"TRADINGAGENTS_{name}": value for name, value in changed.items()}}, QUICK)


async def test_a_mail_has_title_words_and_picture_and_goes_to_every_address():
    with mail_server() as server:
        await mailbox(server).deliver(OutgoingMessage("Brief\nBcc: eve@example.org", "Société +1 %", picture=PICTURE))
    (sent,) = server.mails
    mail = email.message_from_bytes(sent, EmailMessage, policy=email.policy.default)
    assert (mail["From"], mail["To"]) == ("desk@example.org", "ann@example.org, bob@example.org")
    assert mail["Subject"] == "Brief Bcc: eve@example.org"
    assert mail["Bcc"] is None
    assert mail.get_body().get_content().splitlines() == ["Société +1 %"]
    (attachment,) = mail.iter_attachments()
    assert (attachment.get_content(), attachment.get_filename()) == (PICTURE, "brief.png")
    assert [command for command in server.commands if command.startswith("RCPT")] == [
        "RCPT TO:<ann@example.org>",
        "RCPT TO:<bob@example.org>",
    ]
    # base64 of NUL, user, NUL, p@ss: the password as it is, not as a URL writes it
    assert "AUTH PLAIN AHVzZXIAcEBzcw==" in server.commands


@pytest.mark.parametrize(
    ("answers", "tries", "said"),
    [
        ({"MAIL": ["451 later"]}, 2, ""),
        ({"DATA": ["421 busy"] * 9}, 3, "it answers 421, after 3 tries"),
        ({"MAIL": ["550 no"]}, 1, "it answers 550"),
        ({"RCPT": ["550 who", "550 who"]}, 1, "it takes no mail for TRADINGAGENTS_MAIL_TO"),
        ({"RCPT": ["250 ok", "550 who"]}, 1, "it takes no mail for 1 of the addresses in TRADINGAGENTS_MAIL_TO"),
        ({"AUTH": ["535 no"]}, 1, "it does not accept the user or the password"),
        ({"EHLO": ["250 here"]}, 1, "it offers no encryption, or no login"),
    ],
)
async def test_what_may_pass_is_tried_again_and_what_is_refused_is_not(
    answers: dict[str, list[str]], tries: int, said: str
):
    with mail_server(**answers) as server:
        if said:
            with pytest.raises(MessageNotSent, match=said) as raised:
                await mailbox(server).deliver(OutgoingMessage("Brief", "x"))
            assert not [secret for secret in (PASSWORD, "p@ss", "ann@", "127.0.0.1") if secret in str(raised.value)]
        else:
            await mailbox(server).deliver(OutgoingMessage("Brief", "x"))
            assert len(server.mails) == 1
    assert sum(command.startswith("EHLO") for command in server.commands) == tries


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("SMTP_URL", "", "SMTP_URL is not set"),
        ("SMTP_URL", "https://example.org", "SMTP_URL cannot be read"),
        ("SMTP_URL", "smtp://:99999999", "SMTP_URL cannot be read"),
        ("MAIL_FROM", "", "MAIL_FROM is not set"),
        ("MAIL_FROM", "nobody", "MAIL_FROM holds no address"),
        ("MAIL_TO", "a@b.example, c d@e.example f", "MAIL_TO holds no address"),
        ("MAIL_TO", "x@example.org\nBcc: eve@example.org", "MAIL_TO holds no address"),
    ],
)
def test_what_is_missing_or_unreadable_is_named(variable: str, value: str, said: str):
    with mail_server() as server, pytest.raises(ConfigurationError, match=said) as raised:
        mailbox(server, **{variable: value}).check()
    assert not value or value not in str(raised.value)


async def test_a_server_elsewhere_that_offers_no_encryption_gets_neither_password_nor_mail(monkeypatch: Any):
    monkeypatch.setattr("tradingagents.service.notices.mail.is_here", lambda host: False)
    with mail_server() as server:
        with pytest.raises(MessageNotSent, match="no encryption"):
            await mailbox(server).deliver(OutgoingMessage("Brief", "x"))
        assert not [command for command in server.commands if command.startswith(("AUTH", "MAIL"))]
