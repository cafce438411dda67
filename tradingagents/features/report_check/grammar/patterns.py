# ruff: noqa: E501, RUF001
"""What stands between the parts of a sentence: limits of clauses, bases of comparisons, ties, lists, ranges."""

from __future__ import annotations

import re

STRONG = re.compile(
    r";|\s[–—-]\s|—|,?\s\b(?:but|while|whereas|although|though|yet|whilst|even as|as against)\b", re.IGNORECASE
)
WEAK = re.compile(r",(?=\s)|:(?=\s)|\s(?:and|as|after|before|on|with|plus)\s|\s/\s|\|", re.IGNORECASE)
BASE = re.compile(
    r"\b(?:(?:up|down|higher|lower|better|worse)\s+(?:from|on)|from|versus|vs\.?|v\.?(?=\s+[$€£\d])|against|(?:as\s+)?compared\s+(?:with|to)|comparing\s+with|relative\s+to"
    r"|(?<!more )(?<!less )(?<!fewer )(?<!rather )(?<!other )than|after(?=\s+(?:[$€£\d]|a\s+[$€£\d]))|had\s+been|was\s+still"
    r"|(?<=\()(?:prior(?:[\s-]year)?|previous(?:ly)?|prev\.?|PY|LY|year[\s-]ago|last\s+year)(?=\W)|comparable\s+figure|following|on\s+top\s+of)(?=\W|$)",
    re.IGNORECASE,
)
"""Opens the base of a comparison."""
BASE_END = re.compile(
    r",\s|:\s|;|\)|\s[–—]\s|\sto\s(?=(?:about\s|some\s|around\s)?(?:US)?[$€£+-]?\s?\d|USD|EUR)|\swhile\s|\sbut\s",
    re.IGNORECASE,
)
BACKGROUND = re.compile(
    r"\b(?:since|founded in|established in|listed in|owned since|dating from|ever since)\s+(?:the\s+)?$", re.IGNORECASE
)
"""Before a year in which something began."""
GOES_ON = re.compile(
    r"\W*(?:it|that|this|they|those|these|the (?:figure|number|result|latter|total)|(?:a|one) year (?:ago|earlier|before)|in the (?:prior|previous|same|year)"
    r"|compared|versus|up|down|against|(?:in|for|during|over|by)\s[^.;:$€£%]{2,60}?\s(?:it|they))\b|\W*\w{3,12}:\s*(?=[-+]?(?:US)?[$€£\d])",
    re.IGNORECASE,
)
"""Opens a sentence that speaks of the figure before it."""
SAYS_WHAT = re.compile(r"\W*(?:that|this|it)(?:\s(?:is|was)|'s)\s(?:what|how\s+much)\b", re.IGNORECASE)
"""Opens a sentence that says what the figure before it is: `$5.2bn. That is what they earned in Q4.`"""
NEAR_NAME = 60
TIED = re.compile(
    r"\s*+(?:\(\s*+(?:(?:in|for|the|its)\s++)*|,?\s*+(?:all\s+)?(?:in|for|during|over|of|at|as of|as at|at the end of|at the close of|by the end of|by|on|through|throughout|when)\s+"
    r"(?:the\s+(?:end of\s+(?:the\s+)?|whole of\s+|close of\s+)?|its\s+|all of\s+|just\s+)?)?\s*",
    re.IGNORECASE,
)
"""Between a figure and its period."""
BEHIND = re.compile(
    r"[\s*_]*(?:(?:of|in|worth of|as|a|the|its|their|quarterly|annual|total|net|trailing|reported|new|more|group|fresh)[\s*_]+){0,4}",
    re.IGNORECASE,
)
"""Between a figure and its metric behind it: `$5bn of revenue`, `a 45% gross margin`."""
IN_PART = re.compile(r"[\s*_]+(?:for|in|from|at|of|by|across)\s+(?:(?:its|the|their|our)\s+)?", re.IGNORECASE)
"""Between a figure and the part of the company that it is of: `sales of $5bn for MedTech`."""
HEADED_BY = re.compile(r"\W*(?:at|with)\s+", re.IGNORECASE)
"""Before a figure whose name follows: `At $5bn, sales were ...`."""
SUFFIX = re.compile(r"(?:a|per|each)\s+(?:\w+\s+)?share", re.IGNORECASE)
SHARE_OF = re.compile(
    r"(?:percentage|percent|per\s+cent|%|share|proportion|pct)\s+of\s+(?:its\s+|the\s+|total\s+|net\s+|group\s+)*$",
    re.IGNORECASE,
)
"""Before the name of what something is a share of."""
CHANGE_BEHIND = re.compile(
    r"(?:y/y|yoy|q/q|qoq|year[\s-]over[\s-]year|year[\s-]on[\s-]year|annual|quarterly|sequential|\s)*+"
    r"(?P<word>increase|decrease|decline|drop|fall|rise|growth|gain|jump|surge|reduction|contraction|expansion|improvement|advance|dip|slide"
    r"|slump|higher|lower|up|down|uplift|uptick|climb|leap|plunge|more|less|better|worse|above|below|ahead|widening|narrowing|positive|negative)\b"
    r"(?:\s+(?:in|of|for|at)(?:\s+(?:its|the|their|quarterly|annual|total))*\s+)?",
    re.IGNORECASE,
)
OF_REVENUE = re.compile(
    r"\s+of\s+(?:its\s+|total\s+|net\s+|group\s+|the\s+)*(?:revenues?|sales|turnover|top\s+line)\b", re.IGNORECASE
)
OF_SOMETHING = re.compile(r"\s+of\s+\w", re.IGNORECASE)
MARGIN = re.compile(r"\bmargins?\b", re.IGNORECASE)
PER_SHARE = re.compile(
    r"\s{0,40}+(?:(?:per|a|each)\s+(?:\w+\s+){0,2}?share\b|/\s*share\b|(?<=\s)each\b)", re.IGNORECASE
)
PER_SHARE_BEFORE = re.compile(r"\bper[\s-](?:\w+\s+){0,2}?share\b|\bEPS\b|/share\b", re.IGNORECASE)
LIST_GAP = re.compile(
    r"\s*+(?:,|;)?\s*+(?:and|or|&|plus|/)?\s*+(?:then\s++)?(?:(?:the|its|at|in|for|of|a)\s++)*+", re.IGNORECASE
)
LISTED = re.compile(r"[,;&/]|\band\b|\bor\b", re.IGNORECASE)
TO = re.compile(r"\s+(?:to|until|and)\s+(?:the\s+|its\s+)?", re.IGNORECASE)
FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)
RANGE = re.compile(r"\s?(?:-|–|—)\s?(?:US)?[$€£]?|\s+to\s+(?:US)?[$€£]?")
DIVIDER = re.compile(r"[,;:]\s|\s[–—]\s")
FOLLOWED_BY_COLON = re.compile(r"\s*[:=]")
TRADED_AT = re.compile(
    r"\b(?:stood|closed|traded|ended|finished|was\s+trading|changed\s+hands)\s+at\s+$", re.IGNORECASE
)
"""Between a company and its price."""
EVEN_IF = re.compile(r"\b(?:even|as)\s+if$", re.IGNORECASE)
