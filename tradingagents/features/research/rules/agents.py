"""The rules of the research loop: what is asked, what to do, whether it suffices, what was found.

They choose frameworks by the words of the question, tasks by the frameworks, and write every sentence from typed
figures. Nothing is read from a text that an agent or a tool wrote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.features.research.rules.brief import ResearchBrief
from tradingagents.features.research.rules.conclusions import conclusion_of, signal_of
from tradingagents.features.research.rules.leads import derivation_line, lead_of
from tradingagents.features.research.schemas import TaskResultRecord
from tradingagents.offline.questions.lookups import Lookup
from tradingagents.offline.questions.measures import MARGINS
from tradingagents.schemas.facts import FactRecord, FigureRecord

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief

MADE_BY = "Written by fixed rules, no language model:"
DEEP = ("thesis", "deep dive", "investment case", "full picture", "in depth", "comprehensive", "everything about")
EXCEL, PDF = ("excel", "xlsx", "spreadsheet", "workbook"), ("pdf",)
SENTIMENT = ("sentiment", "news", "headlines", "crowd", "social")
FACTORS = ("factor exposure", "factor loading", "factors", "fama")
MOST_COMPARED = 5
"""Companies of one comparison of growth, margins and value: two tasks each."""
MOST_OF_FIGURES = 9
"""Companies of one comparison of named figures: a task each, and one that compares."""
MOST_DIRECT = 2
"""Figures that are answered without a plan."""
EXAMINE = (
    *("analysis", "analyse", "analyze", "check", "run", "build", "thesis", "decompose", "drives", "why", "assess"),
    *("examine", "quality", "deep dive", "priced in", "case", "screen", "breakdown", "break down", "signals"),
)
"""Words that ask for more than a figure: the tasks of a framework."""
_OF_HOLDINGS: Mapping[str, Any] = {
    "intent": "quick_lookup",
    "tickers": [],
    "confidence": 0.95,
    "inferred_depth": "quick",
    "metrics_focus": ["book"],
    "wants_sentiment": False,
    "wants_factors": False,
    "export_intent": "none",
    "clarification": "",
    "prior_tickers_researched": [],
    "prior_frameworks_used": [],
}
"""What a question about its writer's holdings asks for: one call answers it."""
DECIDED_ELSEWHERE = "Whether to add, hold or trim is decided by an analysis of the stock, not by a look-up."
UNKNOWN_COMPANY = 0.5
"""Confidence of a question whose company is not recognised."""


def understanding(brief: Brief) -> Mapping[str, Any]:
    """Return what a question asks for."""
    known = _research(brief)
    if known.request.holdings is not None:
        return _OF_HOLDINGS
    said = known.question.lower()
    chosen = _chosen(known)
    asked, lookup = known.asked, known.request.lookup
    figures = asked.figures if not chosen else ()
    few = len(figures) <= MOST_DIRECT if figures else lookup is not None or bool(asked.gap)
    simple = few and not chosen and len(known.symbols) <= 1
    market = lookup is not None and not lookup.of_company and not figures
    symbols = known.symbols or (() if market else known.earlier_symbols[:1])
    clear = bool(symbols) or market
    return {
        "intent": _intent(chosen, known, simple=simple, companies=len(symbols)),
        "tickers": list(symbols),
        "confidence": 0.95 if clear and not known.unclear else UNKNOWN_COMPANY,
        "inferred_depth": "deep" if _any(DEEP, said) or "thesis" in chosen else "quick" if simple else "standard",
        "metrics_focus": [figure.label for figure in figures] or list(lookup.figures[:4] if lookup is not None else ()),
        "wants_sentiment": _any(SENTIMENT, said),
        "wants_factors": _any(FACTORS, said),
        "export_intent": "excel" if _any(EXCEL, said) else "pdf" if _any(PDF, said) else "none",
        "clarification": "" if clear and not known.unclear else _what_is_meant(known),
        "prior_tickers_researched": [symbol for symbol in symbols if symbol in known.earlier_symbols],
        "prior_frameworks_used": [name for name in chosen if name in known.earlier_frameworks],
    }


def plan(brief: Brief) -> Mapping[str, Any] | None:
    """Return a plan: the figures that are asked for, else the tasks of the frameworks that the question calls for."""
    known = _research(brief)
    symbols = [str(ticker) for ticker in known.understanding.get("tickers", ())]
    chosen = _chosen(known) or (["thesis"] if known.understanding.get("inferred_depth") == "deep" else [])
    simple = known.understanding.get("intent") == "quick_lookup"
    if simple or (known.asked.gap and not chosen) or not (symbols or chosen):
        return {"summary": "One or two figures answer the question.", "is_simple_query": True, "tasks": []}
    if known.asked.figures and not chosen:
        return _of_figures(known, symbols[:MOST_OF_FIGURES])
    if len(symbols) > 1:
        return _comparison(known, symbols[:MOST_COMPARED])
    framework = (chosen or ["overview"])[0]
    tasks = [dict(task) for task in known.framework_tasks.get(f"{framework}:{symbols[0]}", ())] or _overview(symbols[0])
    title = {words.name: words.title for words in known.frameworks}.get(framework, "Overview")
    return {
        "summary": f"{title} of {symbols[0]}: {len(tasks)} tasks.",
        "selected_frameworks": [framework] if framework != "overview" else [],
        "tasks": tasks,
        "is_simple_query": False,
    }


def direct_calls(known: ResearchBrief) -> tuple[list[dict[str, Any]], str]:
    """Return the calls that answer a question of one or two figures, and why there are none."""
    symbols = [str(ticker) for ticker in known.understanding.get("tickers", ())][:MOST_DIRECT]
    if known.request.holdings_call is not None:
        name, given = known.request.holdings_call
        return [{"capability": name, "arguments": given, "figures": ()}], ""
    if known.asked.gap:
        return [], known.asked.gap
    if known.asked.figures:
        return [figure.call(symbol) for symbol in symbols for figure in known.asked.figures][:MOST_DIRECT], ""
    lookup = known.request.lookup
    if lookup is None:
        return [], "No rule knows what is asked; name a figure, or use a language model."
    if known.asked.dated:
        about = lookup.label
        return [], f"No rule gives {about} for the days that the question names; ask as of that day, or name no day."
    wanted = [{"ticker": symbol} for symbol in symbols] if lookup.of_company else [{}]
    return [{"capability": lookup.tool, "arguments": arguments, "figures": lookup.figures} for arguments in wanted], ""


def reflection(brief: Brief) -> Mapping[str, Any]:
    """Return whether something critical is missing: no figure on a company that the question is about."""
    known = _research(brief)
    asked = [str(ticker) for ticker in known.understanding.get("tickers", ())]
    answered = {fact.symbol for task in known.tasks for fact in task.facts if fact.figures or fact.texts}
    missing = [symbol for symbol in asked if symbol not in answered]
    done = sum(task.status == "completed" for task in known.tasks)
    if not missing:
        gaps = [f"{task.description} ({task.note})" for task in known.tasks if task.status != "completed"]
        why = f"{done} of {len(known.tasks)} tasks have results, and every company that was asked about is covered."
        return {"is_complete": True, "reasoning": why, "missing_info": gaps, "guidance": ""}
    if known.iteration >= 2:  # the same sources would answer the same again
        why = f"Nothing is known of {', '.join(missing)} from the present data; asking again would not change that."
        return {"is_complete": True, "reasoning": why, "missing_info": [f"figures of {symbol}" for symbol in missing]}
    return {
        "is_complete": False,
        "reasoning": f"No task found a figure on {', '.join(missing)}.",
        "missing_info": [f"figures of {symbol}" for symbol in missing],
        "guidance": f"Look up price and statements of {', '.join(missing)} first.",
    }


def findings(brief: Brief) -> str:
    """Return what a task found, a line for each tool answer."""
    return "\n".join(line for fact in _research(brief).facts for line in fact_lines(fact))


def conclusion(brief: Brief) -> str:
    """Return what follows from the tasks that the present one needs."""
    known = _research(brief)
    if known.request.holdings is not None:
        return " ".join(text for task in known.tasks for fact in task.facts for text in fact.texts)
    needed = [task for task in known.tasks if task.key in known.needs] or list(known.tasks)
    lead = lead_of(known.asked, needed, _symbols(known)) if not _chosen(known) else ""
    return lead or conclusion_of(needed)


def answer(brief: Brief) -> str:
    """Return the answer: the key finding first, then what each task found."""
    known = _research(brief)
    done = [task for task in known.tasks if task.status == "completed" and task.findings]
    if not done:
        gaps = "; ".join(dict.fromkeys(fact.failure for task in known.tasks for fact in task.facts if fact.failure))
        return f"{MADE_BY} the question cannot be answered from the present data. {gaps}".strip()
    if (held := known.request.holdings) is not None:
        texts = [text for task in done for fact in task.facts for text in fact.texts]
        texts += [DECIDED_ELSEWHERE] if held.about == "decision" else []
        return f"{MADE_BY} {' '.join(texts)}"
    lead = lead_of(known.asked, done, _symbols(known)) if not _chosen(known) else ""
    parts = [f"{MADE_BY} {lead or _unread(known) + _lead(done)}"]
    if lead and len(done) == 1:
        parts += [line for fact in done[0].facts if (line := derivation_line(fact))]
    elif len(done) > 1:
        parts += [f"**{task.description}**\n\n{task.findings}" for task in done if task.facts or len(done) == 1]
    return "\n\n".join(parts)


def fact_lines(fact: FactRecord) -> list[str]:
    """Return what a tool answered: its figures in one sentence, else its texts; why where it did not."""
    about = fact.symbol or "Market"
    if fact.failure:
        return [f"{about}: no answer of {fact.capability}: {fact.failure}"]
    if fact.figures:
        listed = ", ".join(map(_figure_words, fact.figures))
        periods = {figure.over for figure in fact.figures}
        period = next(iter(periods)) if len(periods) == 1 else ""
        line = derivation_line(fact)
        return [f"{about}, {period or f'as of {fact.as_of}'}: {listed}.", *fact.texts, *([line] if line else [])]
    return [*fact.texts] or [f"{about}: {fact.title}."]


def _figure_words(figure: FigureRecord) -> str:
    if signal := signal_of(figure):
        return f"{signal}: {'holds' if figure.value else 'does not hold'}"
    return f"{metric_label(figure.name)} {figure.shown}"


def _lead(done: Sequence[TaskResultRecord]) -> str:
    """Return the key finding: what the last conclusion says, else the first figures."""
    concluded = [task.findings for task in done if not task.facts]
    return concluded[-1] if concluded else conclusion_of(done)


def _unread(known: ResearchBrief) -> str:
    """Say that an answer is an overview because no rule knows what exactly is asked; empty where one does."""
    chosen = known.plan.get("selected_frameworks") or known.understanding.get("inferred_depth") == "deep"
    broad = known.request.wish in ("worth", "consider") or len(known.symbols) > 1 or known.request.lookup is not None
    if chosen or broad or known.understanding.get("intent") == "quick_lookup":
        return ""
    return f"No rule knows what exactly is asked of {', '.join(_symbols(known))}; this is an overview. "


def _symbols(known: ResearchBrief) -> list[str]:
    return [str(ticker) for ticker in known.understanding.get("tickers", ())]


def _chosen(known: ResearchBrief) -> list[str]:
    """Return the frameworks that a question calls for; none where it asks for figures, or about holdings, only."""
    if known.request.holdings is not None:
        return []
    if known.asked.figures and not _any(EXAMINE, known.question.lower()):
        return []
    if len(known.symbols) > 1 and known.asked.figures:
        return []
    return _frameworks(known)


def _of_figures(known: ResearchBrief, symbols: Sequence[str]) -> Mapping[str, Any]:
    """Return a plan that asks each company for the figures of the question, and then compares."""
    asked = known.asked.figures
    labels = tuple(dict.fromkeys(figure.label for figure in asked))
    names = "margins" if labels == MARGINS else ", ".join(labels)
    tasks: list[dict[str, Any]] = [
        {
            "id": f"task_{number}",
            "description": f"{names[:1].upper()}{names[1:]} of {symbol}"[:400],
            "task_type": "use_tools",
            "calls": [figure.call(symbol) for figure in asked],
        }
        for number, symbol in enumerate(symbols, 1)
    ]
    if len(symbols) > 1:
        compared = {"description": f"Compare {', '.join(symbols)}", "task_type": "reason"}
        tasks.append({"id": f"task_{len(tasks) + 1}", **compared, "depends_on": [task["id"] for task in tasks]})
    return {
        "summary": f"{names[:1].upper()}{names[1:]} of {', '.join(symbols)}."[:600],
        "selected_frameworks": [],
        "tasks": tasks,
        "is_simple_query": False,
    }


def _research(brief: Brief) -> ResearchBrief:
    if not isinstance(brief.known, ResearchBrief):
        raise TypeError("the rules of research need its brief")
    return brief.known


def _frameworks(known: ResearchBrief) -> list[str]:
    """Return the frameworks whose words stand in the question, the longest word first."""
    said = f" {' '.join(known.question.lower().split())} "
    found = [
        (max(len(word) for word in framework.words if _stands(word, said)), framework)
        for framework in known.frameworks
        if _any(framework.words, said)
    ]
    return [framework.name for _, framework in sorted(found, key=lambda pair: (-pair[0], pair[1].name))]


def _comparison(known: ResearchBrief, symbols: Sequence[str]) -> Mapping[str, Any]:
    """Return a plan that asks the same of each company, and then compares."""
    tasks: list[dict[str, Any]] = []
    asked = _compared(known.request.lookup)
    for symbol in symbols:
        for what, capability, figures in asked:
            tasks.append(
                {
                    "id": f"task_{len(tasks) + 1}",
                    "description": f"{what} of {symbol}",
                    "task_type": "use_tools",
                    "calls": [{"capability": capability, "arguments": {"ticker": symbol}, "figures": figures}],
                }
            )
    tasks = tasks[:9]
    tasks.append(
        {
            "id": f"task_{len(tasks) + 1}",
            "description": f"Compare {', '.join(symbols)}",
            "task_type": "reason",
            "depends_on": [task["id"] for task in tasks],
        }
    )
    return {
        "summary": f"The same figures of {', '.join(symbols)}, side by side.",
        "selected_frameworks": [],
        "tasks": tasks,
        "is_simple_query": False,
    }


def _compared(lookup: Lookup | None) -> tuple[tuple[str, str, Sequence[str]], ...]:
    if lookup is not None and lookup.of_company and lookup.tool not in ("open_chart", "company_info"):
        return ((lookup.label.capitalize(), lookup.tool, lookup.figures),)
    return (
        ("Growth and margins", "get_ttm_analysis", ("revenue_yoy", "gross_margin", "operating_margin", "net_margin")),
        ("Value against price", "valuation", ("value_per_share", "price", "upside")),
    )


def _overview(symbol: str) -> list[dict[str, Any]]:
    asked = (
        ("Price and trend", "market_snapshot", ("price", "change_1m", "change_3m", "sma_200")),
        (
            "Growth, margins and debt",
            "get_ttm_analysis",
            ("ttm_revenue", "revenue_yoy", "operating_margin", "debt_to_equity"),
        ),
        ("Value against price", "valuation", ("value_per_share", "price", "upside")),
    )
    tasks: list[dict[str, Any]] = [
        {
            "id": f"task_{number}",
            "description": f"{what} of {symbol}",
            "task_type": "use_tools",
            "calls": [{"capability": capability, "arguments": {"ticker": symbol}, "figures": figures}],
        }
        for number, (what, capability, figures) in enumerate(asked, 1)
    ]
    last = {"id": "task_4", "description": f"Weigh what speaks for and against {symbol}", "task_type": "reason"}
    return [*tasks, {**last, "depends_on": [task["id"] for task in tasks]}]


def _intent(chosen: Sequence[str], known: ResearchBrief, *, simple: bool, companies: int) -> str:
    if simple:
        return "quick_lookup"
    if companies > 1:
        return "screen" if known.asked.threshold is not None else "comparison"
    return "valuation" if chosen[:1] == ["dcf"] else "research"


def _what_is_meant(known: ResearchBrief) -> str:
    if known.unclear:
        return f"Which company do you mean by {' or '.join(known.unclear)}? Name its ticker."
    return "Which company or index is the question about? Name its ticker."


def _any(words: Sequence[str], said: str) -> bool:
    return any(_stands(word, said) for word in words)


def _stands(word: str, said: str) -> bool:
    """Tell whether a word or phrase stands in a text, also with an ending such as a plural's."""
    plain = f" {''.join(letter if letter.isalnum() or letter in '-&' else ' ' for letter in said.lower())}"
    return f" {word}" in " ".join(plain.split()).join((" ", " "))
