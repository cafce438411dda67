"""`tradingagents filings`: a store of filings and earnings calls, and answers from it with citations."""

from __future__ import annotations

from ..help import GroupedCommand, command_group, exit_codes
from . import filings_add, filings_ask, filings_chat, filings_list, filings_remove, filings_search, filings_show

app = command_group("Read filings and earnings calls, search them, and ask questions answered with citations.")
_CODES = "Exit codes: 0 done · 2 usage · 3 configuration · 4 {four} · 130 interrupted."
_ASKED = exit_codes(five="no answer or model failure", several=False, approval=False)
app.command("add", cls=GroupedCommand, epilog=_CODES.format(four="a document cannot be read or fetched"))(
    filings_add.add
)
app.command("list", cls=GroupedCommand)(filings_list.list_)
app.command("show", cls=GroupedCommand, epilog=_CODES.format(four="no such document"))(filings_show.show)
app.command("search", cls=GroupedCommand, epilog=_CODES.format(four="nothing found"))(filings_search.search)
app.command("ask", cls=GroupedCommand, epilog=_ASKED)(filings_ask.ask)
app.command("chat", cls=GroupedCommand, epilog=_ASKED)(filings_chat.chat)
app.command("remove", cls=GroupedCommand, epilog=_CODES.format(four="no such document"))(filings_remove.remove)
