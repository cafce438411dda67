"""`Kernel`: the one way from any caller to a capability.

Every face (Python, command line, HTTP, web page, MCP) and the assistant ask here: policy, arguments, memo, answer,
files and artifacts, audit, in this order. Agents of a run ask within the run's own market, by the same
`Capability.reply` and the same memo.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.capabilities.ask import completed
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import CapabilityRegistry, registry
from tradingagents.capabilities.standalone import open_market, symbol_of
from tradingagents.dataflows.cutoff import parse_day
from tradingagents.dataflows.data_sheet import shown_figures
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.look_up import default_day
from tradingagents.dataflows.results import Result
from tradingagents.errors import ApprovalNeeded, PolicyRefused, TradingAgentsError
from tradingagents.features.report_check.reader_process import LEAVING
from tradingagents.files.private_files import keep_private
from tradingagents.files.redaction import HIDDEN
from tradingagents.schemas.workspace import CapabilityAnswer, CapabilityInfo
from tradingagents.service.kernel.caller import Caller
from tradingagents.service.kernel.catalogue import capability_info
from tradingagents.service.kernel.home_steps import HOME_STEPS, HomeContext, HomeSteps
from tradingagents.service.kernel.ports import ArtifactRegister, SessionAccess
from tradingagents.settings import Settings

MEMO_SIZE = 2048
"""Answers held in memory, about ten kilobytes each."""
ANYBODY = Caller()


@dataclass(frozen=True, kw_only=True)
class Invocation:
    """One finished call of a capability, for the audit."""

    name: str
    arguments: Mapping[str, Any]
    caller: Caller
    as_of: date | None
    """Day of the answer; None where there is none."""
    error: TradingAgentsError | None
    seconds: float


class Kernel:
    """Answers capabilities for every caller over one home folder. Thread-safe."""

    def __init__(
        self,
        settings: Settings,
        *,
        vendors: Vendors | None = None,
        capabilities: CapabilityRegistry | None = None,
        sessions: SessionAccess | None = None,
        artifacts: ArtifactRegister | None = None,
        observer: Callable[[Invocation], None] | None = None,
    ) -> None:
        """Set what answers come from; nothing is opened yet.

        Args:
            settings: Choose the vendors and the home folder.
            vendors: Open vendors; None opens them when first asked.
            capabilities: What can be asked; None: those of the library and of installed packages.
            sessions: Where the state of sessions is read and calls of sessions are audited; None for no sessions.
            artifacts: Where files that answers make are registered; None registers none.
            observer: Called after each call; must be quick and must not raise.
        """
        keep_private(settings.home_dir)
        self.settings = settings
        self.vendors = vendors or Vendors(settings)
        self.memo = Memo(MEMO_SIZE)
        self._capabilities = capabilities
        self._sessions, self._artifacts, self._observer = sessions, artifacts, observer

    @property
    def registry(self) -> CapabilityRegistry:
        """The capabilities that can be asked."""
        return registry() if self._capabilities is None else self._capabilities

    def catalogue(self, caller: Caller = ANYBODY) -> tuple[CapabilityInfo, ...]:
        """Return what a caller may ask, by name; those that cannot be answered at present, with the reason."""
        known = self.registry
        return tuple(
            capability_info(known[name], self.settings, self.vendors)
            for name in sorted(known)
            if caller.allowed is None or name in caller.allowed
        )

    def info(self, name: str) -> CapabilityInfo:
        """Describe one capability, by name or alias.

        Raises:
            UsageError: There is none of that name.
        """
        return capability_info(self.registry.by_name(name), self.settings, self.vendors)

    def authorize(self, name: str, caller: Caller, *, writes: bool, costs_money: bool) -> None:
        """Check that a caller may take an action.

        A person or a program that calls directly may do everything. An agent may do what its definition allows. Where
        that costs money, the user is asked first, unless the session allows it beforehand; where it costs money or
        writes and the agent has read text that others wrote in this turn, the user is asked in any case.

        Args:
            name: Name of the capability or kind of task.
            caller: Who asks.
            writes: Whether it writes into the home folder.
            costs_money: Whether it asks a language model that is paid for.

        Raises:
            PolicyRefused: The caller's definition does not allow it.
            ApprovalNeeded: The user must allow it first.
        """
        if caller.allowed is not None and name not in caller.allowed:
            raise PolicyRefused(f"{caller.agent or 'This caller'} may not use {name}; it has other tools.")
        if caller.agent is None or not (writes or costs_money):
            return
        if caller.outside_text_seen:
            raise ApprovalNeeded(
                f"{name} changes something or costs money, and text written by others was read in this turn, which may "
                "have asked for it; the user must approve it."
            )
        if costs_money and not caller.auto_approve:
            raise ApprovalNeeded(f"{name} costs money; the user must approve it.")

    def ask(
        self, name: str, arguments: Mapping[str, Any], *, as_of: str | date | None = None, caller: Caller = ANYBODY
    ) -> Result:
        """Answer a capability with its typed result.

        Args:
            name: Name or alias.
            arguments: As the capability declares them; values may be text or JSON.
            as_of: Day of the question; nothing known only later is in the answer. None: the default of the caller's
                session, else the latest date among the arguments, else today.
            caller: Who asks.

        Raises:
            UsageError: There is no such capability, it takes other arguments, or the caller may not use it.
            ApprovalNeeded: The user must allow it first.
            TradingAgentsError: As the vendor and the analytics raise, or as files of the home folder cannot be used.
        """
        return self._observed(name, arguments, as_of, caller)[1]

    def invoke(
        self, name: str, arguments: Mapping[str, Any], *, as_of: str | date | None = None, caller: Caller = ANYBODY
    ) -> CapabilityAnswer:
        """Answer a capability as every face shows it; see `ask`."""
        capability, result = self._observed(name, arguments, as_of, caller)
        return CapabilityAnswer(
            capability=capability.name,
            symbol=result.symbol,
            as_of=result.as_of,
            title=result.title,
            figures=shown_figures(result),
            shown={figure.name: figure.text for figure in result.figures() if figure.rounded is not None},
            labels={figure.name: metric_label(figure.name) for figure in result.figures()},
            result=result.model_dump(mode="json"),
            markdown=result.to_markdown(),
            artifacts=self._artifact_ids(capability.name, result, caller),
        )

    async def ainvoke(
        self, name: str, arguments: Mapping[str, Any], *, as_of: str | date | None = None, caller: Caller = ANYBODY
    ) -> CapabilityAnswer:
        """Answer as `invoke` does, in a thread, for it may wait for a network; who stops waiting stops the reading."""
        gone = threading.Event()
        token = LEAVING.set(gone)
        try:
            return await asyncio.to_thread(self.invoke, name, arguments, as_of=as_of, caller=caller)
        except asyncio.CancelledError:
            gone.set()
            raise
        finally:
            LEAVING.reset(token)

    def _observed(
        self, name: str, arguments: Mapping[str, Any], as_of: str | date | None, caller: Caller
    ) -> tuple[Capability, Result]:
        began = time.perf_counter()
        result: Result | None = None
        failure: TradingAgentsError | None = None
        try:
            capability = self.registry.by_name(name)
            name = capability.name
            result = self._answer(capability, arguments, as_of, caller)
        except TradingAgentsError as error:
            failure = error
            raise
        finally:
            self._tell(
                Invocation(
                    name=name,
                    arguments=dict(arguments),
                    caller=caller,
                    as_of=result.as_of if result else None,
                    error=failure,
                    seconds=time.perf_counter() - began,
                )
            )
        return capability, result

    def _answer(
        self, capability: Capability, arguments: Mapping[str, Any], as_of: str | date | None, caller: Caller
    ) -> Result:
        self.authorize(capability.name, caller, writes=capability.writes, costs_money=False)
        session = None
        if caller.session_id is not None and self._sessions is not None:
            session = self._sessions.get(caller.session_id, hidden=caller.agent is not None)
            as_of = as_of or session.defaults.as_of
        steps, context = HOME_STEPS.get(capability.name, HomeSteps()), HomeContext(self.settings, session, caller.files)
        day = None if as_of is None else parse_day(as_of)
        due = day or default_day(self.settings, symbol_of(arguments))
        given = capability.checked(completed(capability, steps.before(arguments, context), due))
        market = open_market(dict(given), as_of=day, settings=self.settings, vendors=self.vendors, memo=self.memo)
        return steps.after(capability.reply(market, given).result, context)

    def _artifact_ids(self, name: str, result: Result, caller: Caller) -> tuple[str, ...]:
        files = HOME_STEPS.get(name, HomeSteps()).files(result)
        if self._artifacts is None:
            return ()
        made = (
            self._artifacts.register(path, kind="chart", title=result.title, session_id=caller.session_id)
            for path in files
        )
        return tuple(artifact.artifact_id for artifact in made)

    def _audited(self, invocation: Invocation) -> dict[str, str]:
        """Return the arguments of a call as the audit holds them: of private ones their names only."""
        known = self.registry.get(invocation.name)
        private = known is not None and known.reads_home
        return {name: HIDDEN if private else str(value) for name, value in invocation.arguments.items()}

    def _tell(self, invocation: Invocation) -> None:
        if self._observer is not None:
            self._observer(invocation)
        session = invocation.caller.session_id
        if session is not None and self._sessions is not None:
            self._sessions.audit(
                session,
                {
                    "action": invocation.name,
                    "arguments": self._audited(invocation),
                    "face": invocation.caller.face,
                    "agent": invocation.caller.agent,
                    "as_of": invocation.as_of.isoformat() if invocation.as_of else None,
                    "error": type(invocation.error).__name__ if invocation.error else None,
                    "seconds": round(invocation.seconds, 3),
                },
            )
