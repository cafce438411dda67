"""The words of the simulated press. Fictional publishers; `{…}` are filled in when an article is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Tone = Literal[-1, 0, 1]


class Template(NamedTuple):
    """A headline and the sentence below it."""

    title: str
    summary: str


PUBLISHERS = ("Larkspur Ledger", "Quill & Tape", "The Fathom Post", "Northgate Dispatch", "Opening Bell Almanac")

EARNINGS: Mapping[Tone, tuple[Template, ...]] = {
    1: (
        Template(
            "{short} beats estimates with {quarter} result of ${eps} a share",
            "{name} earned ${eps} a share against ${expected} expected. Revenue of ${revenue} was strong.",
        ),
        Template(
            "{short} tops forecasts as margins improve",
            "Strong {quarter} results: ${eps} a share where ${expected} was expected, on revenue of ${revenue}.",
        ),
    ),
    0: (
        Template(
            "{short} reports {quarter} results in line with estimates",
            "{name} earned ${eps} a share, about the ${expected} expected, on revenue of ${revenue}.",
        ),
    ),
    -1: (
        Template(
            "{short} misses estimates with {quarter} result of ${eps} a share",
            "{name} reported ${eps} a share against ${expected} expected. Revenue of ${revenue} was weak.",
        ),
        Template(
            "{short} falls short of forecasts as margins decline",
            "Weak {quarter} results: ${eps} a share where ${expected} was expected, on revenue of ${revenue}.",
        ),
    ),
}

LEAD: Mapping[Tone, tuple[Template, ...]] = {
    1: (
        Template(
            "{short} wins record order from a long-standing customer", "People close to the talks see strong demand."
        ),
        Template(
            "Broker upgrades {short}, citing strong demand in {industry}", "The note calls the shares attractive."
        ),
        Template(
            "{short} said to gain a large multi-year contract", "An announcement of the win may follow this week."
        ),
        Template("Survey finds customers favor {short} over rivals", "Buyers praised quality; orders are improving."),
        Template(
            "{short} nears approval for a new line of business", "A favorable ruling would boost growth, filings show."
        ),
        Template(
            "Channel checks point to a strong month at {short}", "Distributors report improving sales and low stocks."
        ),
    ),
    -1: (
        Template(
            "{short} faces lawsuit over supply terms", "The complaint alleges breach of contract and seeks damages."
        ),
        Template(
            "Broker downgrades {short} on weak demand in {industry}", "The note warns that estimates are at risk."
        ),
        Template(
            "Regulator said to open a probe into {short}", "An investigation could lead to penalties, lawyers say."
        ),
        Template(
            "{short} delays a key project, suppliers say", "The delay adds cost and may hurt this year's results."
        ),
        Template(
            "{short} loses a large customer to a rival", "The loss may weaken sales, people familiar with it say."
        ),
        Template(
            "Channel checks point to a weak month at {short}", "Distributors report declining orders and excess stock."
        ),
    ),
}

LAG: Mapping[Tone, tuple[Template, ...]] = {
    1: (
        Template("{short} shares gain {pct}% on {day}", "{name} ({ticker}) closed higher in active trading."),
        Template("{short} rallies {pct}%", "Shares of {name} rose on {day}; volume was above its average."),
    ),
    -1: (
        Template("{short} shares drop {pct}% on {day}", "{name} ({ticker}) closed lower in active trading."),
        Template("{short} slumps {pct}%", "Shares of {name} fell on {day}; volume was above its average."),
    ),
}

NOISE: Mapping[Tone, tuple[Template, ...]] = {
    1: (
        Template(
            "Columnist calls {short} a strong long-term story", "An opinion piece praises the company's position."
        ),
        Template("{short} named among best places to work", "The annual list is based on a reader survey."),
        Template("Analyst stays positive on {short}", "The rating and the estimates are unchanged."),
    ),
    0: (
        Template("{short} to present at an industry conference", "Management is scheduled to speak in the afternoon."),
        Template("{short} sets date for annual meeting", "Shareholders will receive the agenda by mail."),
        Template("What to know about {industry} this quarter", "A primer, with {name} as one of the examples."),
        Template("{short} appoints a new head of communications", "The position had been filled in the interim."),
        Template("{short} publishes its sustainability report", "The document covers energy, water and staff."),
        Template("{ticker}: options activity in review", "A weekly look at volumes and open interest."),
    ),
    -1: (
        Template("Columnist warns that {short} is overvalued", "An opinion piece questions the share price."),
        Template("Former employee criticizes culture at {short}", "The company disputes the account."),
        Template("Analyst stays negative on {short}", "The rating and the estimates are unchanged."),
    ),
}

RECAP: Mapping[Tone, tuple[Template, ...]] = {
    1: (
        Template(
            "Stocks gain as broad index rises {pct}%", "The market closed higher on {day}; {best} led the sectors."
        ),
        Template("Market rallies {pct}%, {best} strongest", "Advancing shares outnumbered declining ones on {day}."),
    ),
    0: (Template("Stocks little changed on {day}", "The broad index moved {pct}%; {best} did most, {worst} least."),),
    -1: (
        Template("Stocks fall as broad index loses {pct}%", "The market closed lower on {day}; {worst} was weakest."),
        Template("Market slumps {pct}%, {worst} weakest", "Declining shares outnumbered advancing ones on {day}."),
    ),
}

PREVIEW: Mapping[Tone, tuple[Template, ...]] = {
    1: (
        Template(
            "Futures point higher before the open", "Overseas markets gained overnight and dealers are optimistic."
        ),
    ),
    -1: (Template("Futures point lower before the open", "Overseas markets lost overnight and dealers are worried."),),
}

RATES: Mapping[Tone, tuple[Template, ...]] = {
    1: (
        Template(
            "Relief for borrowers as bond yields ease to {level}%", "The ten-year yield is down {points} basis points."
        ),
    ),
    -1: (
        Template(
            "Worries as bond yields climb to {level}%", "The ten-year yield moved by {points} basis points; costs hurt."
        ),
    ),
}

OIL: Mapping[Tone, tuple[Template, ...]] = {
    1: (Template("Energy shares rise {pct}% with crude", "Producers gained on signs of strong demand for oil."),),
    -1: (Template("Energy shares fall {pct}% with crude", "Producers dropped on signs of weak demand for oil."),),
}

MOOD: Mapping[Tone, tuple[Template, ...]] = {
    1: (Template("Calm returns to markets", "The volatility index stands at {level}; investors are more confident."),),
    0: (
        Template("Investors turn cautious", "The volatility index stands at {level}; opinions on the economy differ."),
    ),
    -1: (Template("Recession fears grip markets", "The volatility index stands at {level} as losses deepen."),),
}

TRADE: Mapping[Tone, tuple[Template, ...]] = {
    1: (Template("Trade talks make progress", "Negotiators reported improvement on tariffs and quotas."),),
    0: (
        Template("Trade ministers to meet next month", "The agenda covers quotas, shipping and standards."),
        Template("Statistics office revises its trade figures", "A new method is applied to past years."),
    ),
    -1: (Template("Tariff dispute worsens", "New duties threaten exporters, an industry group warns."),),
}

WORLD: Mapping[Tone, tuple[Template, ...]] = {
    1: (
        Template(
            "Geopolitical tensions ease as border talks make progress", "Diplomats on both sides report improvement."
        ),
        Template("Ceasefire in a distant conflict proves stable", "Observers call the calm encouraging."),
        Template("Two blocs settle their quarrel over sanctions", "Shipping lines are optimistic, an envoy says."),
        Template("Summit ends with a promising security accord", "Diplomats call the result a success."),
        Template("Blocked strait is clear again, military escorts say", "Freight rates may recover as ships return."),
    ),
    0: (
        Template("Foreign ministers to meet on security", "The agenda covers borders, sanctions and shipping lanes."),
        Template("Envoys continue geopolitical talks behind closed doors", "Neither side commented on the draft."),
        Template("Two blocs name new ambassadors", "The diplomatic posts had been vacant since the election."),
    ),
    -1: (
        Template(
            "Geopolitical tensions rise over a disputed strait", "Shipping lines are worried; insurers warn of losses."
        ),
        Template("New sanctions threaten exporters in two blocs", "Officials announced the measures after a dispute."),
        Template("Military conflict worsens along a distant border", "Diplomats warn that the talks may collapse."),
        Template("Ceasefire fails within days of its start", "Observers blame a breach by one of the armies."),
        Template("Summit collapses without a security accord", "Diplomats leave under pressure and in doubt."),
    ),
}
