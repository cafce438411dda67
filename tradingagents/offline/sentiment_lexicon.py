"""Words that carry tone in financial headlines, chosen and weighed by us: 1 for ordinary, 2 for strong words."""

from __future__ import annotations


def _weights(ordinary: str, strong: str) -> dict[str, float]:
    return dict.fromkeys(ordinary.split(), 1.0) | dict.fromkeys(strong.split(), 2.0)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


POSITIVE = _weights(
    """
    accelerate accelerated accelerates accelerating acclaimed achieve achieved achieves advance advanced advances
    affirmed approval approve approved approves attractive award awarded awards beat beating beats benefit
    benefits best better bolster bolstered bolsters boost boosted boosting boosts bounce bounces breakthrough
    bright brighter bull bullish buoyant buy buyback buybacks calm cheer cheers clear cleared climb climbed
    climbing climbs comeback confidence confident delight delighted dividend doubled doubles ease eased eases
    efficient encouraging exceed exceeded exceeding exceeds excel excels expand expanded expanding expands
    expansion favorable favourable gain gained gaining gains good great grow growing grown grows growth healthy
    higher improve improved improvement improves improving increase increased increases innovative jump jumped
    jumping jumps launch launches lead leader leading leads lift lifted lifts momentum opportunity optimism
    optimistic outpace outpaced outpaces outperform outperformed outperforming outperforms partnership pop popped
    pops positive profit profitable profits progress promising raise raised raises raising rallied rallies rally
    rallying rebound rebounded rebounding rebounds record recover recovered recovering recovers recovery
    resilience resilient resolved reward rewarded rise rises rising robust rose safe secure secured secures settle
    settled settles solid stabilise stabilises stabilize stabilizes stable steady strength strengthen strengthened
    strengthens strong stronger strongest succeed succeeds success successful support supported supports tailwind
    tailwinds thrive thrives thriving top topped topping tops triumph undervalued upbeat upside uptrend win winner
    winning wins won
    """,
    """
    blockbuster boom booming booms rocket rocketed rockets skyrocket skyrocketed skyrockets smash smashed smashes
    soar soared soaring soars stellar surge surged surges surging upgrade upgraded upgrades
    """,
)
NEGATIVE = _weights(
    """
    abandon abandoned abandons accuse accused accuses adverse alarm alarming allegation allegations alleged
    antitrust avoid ban banned bans bear bearish blow breach breached breaches caution cautious cease challenge
    challenged challenges complaint complaints concern concerned concerns contract contracted contracting
    contraction cut cuts cutting damage damaged damages decelerate decelerates decline declined declines declining
    decrease decreased decreases deficit delay delayed delays delist denied depressed deteriorate deteriorated
    deteriorates deteriorating difficult dilution dim dims disappoint disappointed disappointing disappointment
    disappoints discontinue dismal dispute disputed disputes disrupt disruption disruptions doubt doubtful doubts
    down downbeat downside downturn drag drags drop dropped dropping drops dull erode eroded erodes erosion exit
    exodus fail failed failing fails failure fall fallen falling falls fear feared fears fell fined fines flaw
    flawed flaws freeze frozen halt halted halts headwind headwinds hurt hurting hurts illegal impairment inferior
    inflation injunction investigate investigated investigates investigation lag lagged lagging lags lawsuit
    lawsuits layoff layoffs litigation lose loses losing loss losses lost low lower lowered lowers miss missed
    misses missing negative obstacle outage outages overhang overvalued penalties penalty pessimism pessimistic poor
    pressure pressured pressures probe probed probes problem problems recall recalled recalls recession reject
    rejected rejects resign resignation resigned resigns restate restated restatement restructuring risk risks risky
    sag sagged sags scrutiny sell selloff setback setbacks shortage shortages shrank shrink shrinking shrinks
    shutdown sink sinking sinks slash slashed slashes slashing slid slide slides sliding slip slipped slipping slips
    slow slowdown slowed slower slowing slows sluggish slump slumped slumping slumps soft softer softness squeeze
    squeezed stall stalled stalls strike strikes struggle struggled struggles struggling stumble stumbled stumbles
    sue sued sues suffer suffered suffers suspend suspended suspends tariff tariffs tension tensions threat threaten
    threatened threatens tough trouble troubled troubles turmoil uncertain uncertainty unfavorable unfavourable
    unprofitable unrest volatile volatility vulnerable warn warned warning warnings warns weak weaken weakened
    weakening weakens weaker weakest weakness woes worried worries worry worse worsen worsened worsening worsens
    worst wound write-down write-off writedown writeoff
    """,
    """
    assassinated assassination bankrupt bankruptcy catastrophe collapse collapsed collapses collapsing crash crashed
    crashes crashing crisis default defaulted defaults disaster downgrade downgraded downgrades explosion fatal
    fraud fraudulent indicted insolvency insolvent killed killing murder murdered plummet plummeted plummeting
    plummets plunge plunged plunges plunging scandal shooting subpoena tank tanked tanking tanks tumble tumbled
    tumbles tumbling
    """,
)

NEGATORS = _set(
    """
    cannot denies deny didn't doesn't don't fail failed failing fails hardly isn't lack lacks neither never no nor
    not nothing refuse refuses short unable unlikely wasn't weren't without won't wouldn't
    """
)
"""They turn the next word of tone within three words: "not beat", "fails to win"."""

BURDENS = _set(
    """
    charge charges claims complaints concern concerns cost costs debt deficit delays dilution fear fears inflation
    layoffs loss losses outages pressure risk risks shortage shortages tariff tariffs tension tensions uncertainty
    unemployment volatility worries
    """
)
"""Things of which less is good: "losses narrow", "cuts costs", "fears ease"."""
LESS = _set(
    """
    calm cool cools cut cuts cutting decline declined declines decrease decreased decreases drop dropped drops
    ease eased eases easing fade fades fall falling falls fell lower lowered lowers narrow narrowed narrower
    narrowing narrows reduce reduced reduces reducing shrink shrinking shrinks slash slashed slashes slow slowed
    slowing slows trim trimmed trims
    """
)
MORE = _set(
    """
    climb climbed climbs expand grow growing grows higher increase increased increases jump jumped jumps mount
    mounted mounting mounts record rise rises rising rose soar soared soars surge surged surges swell swells widen
    widened widening widens
    """
)
"""With a burden within two words they are bad news: "costs rise", "losses widen", "record loss"."""
