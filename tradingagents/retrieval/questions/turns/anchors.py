"""What a question places in time by something that happened: `since it reported`, `after the Fed cut`.

Days that are named by themselves are no anchors, nor is what only says how things stand: `expensive after this fall`.
"""

from __future__ import annotations

import re

_BEGINS, _ENDS = r"(?<![\w-])", r"(?![\w-])"
_RESULTS = r"(?:earnings|results|numbers|reports?|quartalszahlen|zahlen|ergebnissen)"
_OF_RESULTS = (
    r"(?:its|the|their|his|these|those|this|last|latest|most|recent|previous|poor|good|strong|weak|bad|quarterly|annual"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|q1|q2|q3|q4|quarter"
    r"|first|second|third|fourth|den|seinen|ihren|letzten|jungsten)"
)
_REPORTED = re.compile(
    rf"{_BEGINS}(?:(?:after|since|following|on|to|nach|seit) (?:{_OF_RESULTS} ){{0,4}}{_RESULTS}"
    rf"|(?:after|since|once) (?:it|they) (?:last )?reported|(?:after|since) reporting){_ENDS}"
)
_CONNECTORS = r"(?:after|since|before|following|until|till|nachdem|seitdem|bevor|nach(?= de[mnr] )|seit)"
_MOVES = (
    r"(?:drop|crash|fall|slump|rally|run|sell-?off|surge|jump|plunge|decline|rise|move|news|correction|dip|slide|rout"
    r"|probe|story)"
)
_NO_EVENT = (
    rf"(?:(?:this|that|the|such a|its|all this|those|these)(?: [\w-]+){{0,2}} {_MOVES}s?"
    r"|tax(?:es)?|interest|hours|all|long|then|when|wann|which|what|mid|jahresende|jahresanfang|jahresbeginn"
    r"|yesterdays?|todays?|i|you|we|he|she|my|buying|investing|selling|market|by|p/e|p/b|p/s|pe|earnings|results"
    r"|(?:the )?(?:bell|close|open|opening|end|start|high|peak|low|bottom|top|record|split|reverse split|ex[- ]date)"
    r"|its (?:\w+ )?(?:high|peak|low|bottom|top|record|ipo|listing)|\w+ (?:high|peak|low|bottom|top)|peaking|it peaked"
    r"|den (?:zahlen|quartalszahlen)"
    r"|(?:de[mnr]|diese[mnr]) (?:[\w-]+ )?(?:kurs)?(?:sprung|absturz|fall|anstieg|rally|rallye|einbruch|ruckgang|rutsch"
    r"|sturz|ausverkauf|korrektur|bewegung))"
)
_ANCHOR = re.compile(
    rf"(?<!month )(?<!year )(?<!quarter )(?<!week )(?<!day )(?<!days )(?<!going ){_BEGINS}"
    rf"(?:{_CONNECTORS} (?!{_NO_EVENT}{_ENDS})"
    r"(?:(?:the|a|an|its|their|last|latest)\s+|(?:der|die|das|dem|den) ){0,3}"
    r"(?!(?:the|a|an|its|their|last|latest|der|die|das|dem|den|did|do|does|has|have|had|is|was|and|it)(?![\w-]))[^\W\d_][\w'-]*"
    r"|(?:after|since|before)(?=\s?[?!.]*$))"
)
_BEFORE_RESULTS = re.compile(rf"{_BEGINS}before (?:{_OF_RESULTS} ){{0,4}}{_RESULTS}{_ENDS}")


def results_anchor(text: str) -> str:
    """Return the words by which a text, in plain letters, speaks of the days from results on; empty for none."""
    found = _REPORTED.search(text)
    return found[0] if found else ""


def anchor_in(text: str) -> str:
    """Return the words by which a text is about days from or up to something that happened; empty where it is not.

    Args:
        text: The text in small letters, without its words for days and the names of companies and indices.
    """
    found = _BEFORE_RESULTS.search(text) or _ANCHOR.search(text)
    if found is None or (results_anchor(" ".join(text.split())) and "before" not in found[0]):
        return ""
    return " ".join(found[0].split())
