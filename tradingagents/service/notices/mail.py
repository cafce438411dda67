"""Sends a message by e-mail."""

from __future__ import annotations

import asyncio
import re
import smtplib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import format_datetime, getaddresses, localtime, make_msgid
from urllib.parse import SplitResult, unquote, urlsplit

from tradingagents.errors import ConfigurationError
from tradingagents.service.notices.message import MessageNotSent, OutgoingMessage
from tradingagents.service.notices.posting import USUAL, Patience, is_here

SERVER_VARIABLE = "TRADINGAGENTS_SMTP_URL"
FROM_VARIABLE = "TRADINGAGENTS_MAIL_FROM"
TO_VARIABLE = "TRADINGAGENTS_MAIL_TO"
MOST_RECEIVERS = 50
PORTS = {"smtps": 465, "smtp": 587}
NAME = f"The mail server ({SERVER_VARIABLE})"
_ADDRESS = re.compile(r"[^\s@<>,;:\"]{1,64}@[^\s@<>,;:\"]{1,255}")
HOW_IT_IS_WRITTEN = "smtps://user:password@host, or smtp://user:password@host for STARTTLS"


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Addresses that a mail server delivers to."""

    environ: Mapping[str, str]
    patience: Patience = USUAL

    def check(self) -> None:
        """Check the variables; see `Receiver`."""
        self._server()
        self._mail(OutgoingMessage("Title", "Text"))

    async def deliver(self, message: OutgoingMessage) -> None:
        """Send words, and the picture as an attachment; see `Receiver`."""
        server, mail = self._server(), self._mail(message)
        pause = self.patience.first_pause
        for number in range(self.patience.tries):
            problem = await asyncio.to_thread(self._try, server, mail)
            if problem is None:
                return
            if number + 1 < self.patience.tries:
                await asyncio.sleep(pause * 2**number)
        raise MessageNotSent(NAME, f"{problem}, after {self.patience.tries} tries")

    def _server(self) -> SplitResult:
        """Return the mail server.

        Raises:
            ConfigurationError: It is not set, cannot be read, or would be reached without encryption.
        """
        said = self._needed(SERVER_VARIABLE, HOW_IT_IS_WRITTEN)
        try:
            server = urlsplit(said)
            usable = server.scheme in PORTS and bool(server.hostname) and (server.port is None or server.port > 0)
        except ValueError:
            usable = False
        if not usable:
            raise ConfigurationError(f"{SERVER_VARIABLE} cannot be read; write it as {HOW_IT_IS_WRITTEN}.")
        return server

    def _mail(self, message: OutgoingMessage) -> EmailMessage:
        """Return the mail.

        Raises:
            ConfigurationError: An address is missing or cannot be read.
        """
        mail = EmailMessage()
        for header, variable in (("From", FROM_VARIABLE), ("To", TO_VARIABLE)):
            said = self._needed(variable, "an address such as name@example.org")
            addresses = [address for _, address in getaddresses([said])]
            usable = said.isprintable() and all(
                address.count("@") == 1 and not any(sign.isspace() for sign in address) for address in addresses
            )
            if not usable or not 0 < len(addresses) <= MOST_RECEIVERS:
                raise ConfigurationError(f"{variable} holds no address such as name@example.org; change it.")
            mail[header] = ", ".join(addresses)
        mail["Subject"] = " ".join(message.title.split())
        mail["Date"] = format_datetime(localtime())
        mail["Message-ID"] = make_msgid(domain="tradingagents.invalid")  # the name of this machine is nobody's business
        mail.set_content(message.text + "\n")
        if message.picture is not None:
            mail.add_attachment(message.picture, maintype="image", subtype="png", filename="brief.png")
        return mail

    def _try(self, server: SplitResult, mail: EmailMessage) -> str | None:
        """Hand the mail over once; return the problem, None if there was none.

        Raises:
            MessageNotSent: The server rejects it for good.
        """
        host, port = server.hostname or "", server.port or PORTS[server.scheme]
        seconds, secure = self.patience.try_seconds, ssl.create_default_context()
        try:
            with (
                smtplib.SMTP_SSL(host, port, timeout=seconds, context=secure)
                if server.scheme == "smtps"
                else smtplib.SMTP(host, port, timeout=seconds)
            ) as connection:
                if server.scheme == "smtp" and not is_here(host):
                    connection.starttls(context=secure)
                if server.username is not None:
                    connection.login(unquote(server.username), unquote(server.password or ""))
                refused = connection.send_message(mail)
        except smtplib.SMTPAuthenticationError:
            raise MessageNotSent(NAME, "it does not accept the user or the password") from None
        except smtplib.SMTPNotSupportedError:
            raise MessageNotSent(NAME, "it offers no encryption, or no login, and nothing is sent without it") from None
        except smtplib.SMTPRecipientsRefused:
            raise MessageNotSent(NAME, f"it takes no mail for {TO_VARIABLE}") from None
        except smtplib.SMTPResponseException as error:
            if 400 <= error.smtp_code < 500:
                return f"it answers {error.smtp_code}"
            raise MessageNotSent(NAME, f"it answers {error.smtp_code}") from None
        except ssl.SSLError as error:
            raise MessageNotSent(NAME, f"no encrypted connection ({error.reason})") from None
        except (OSError, smtplib.SMTPException) as error:
            return f"no connection ({type(error).__name__})"
        if refused:
            raise MessageNotSent(NAME, f"it takes no mail for {len(refused)} of the addresses in {TO_VARIABLE}")
        return None

    def _needed(self, variable: str, what: str) -> str:
        if value := self.environ.get(variable, "").strip():
            return value
        raise ConfigurationError(f"{variable} is not set, which e-mail needs: {what}; set it in the environment.")
