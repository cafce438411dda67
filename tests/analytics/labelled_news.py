"""Headlines in the style of real ones, all made up, each with the subjects a reader would file it under.

Letters: g geopolitics, t trade, b central banks, c energy and commodities, m markets and the economy otherwise,
i technology, h health care, f financials, r real estate, u utilities. Empty: none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

TOPICS = {
    "geopolitics": "g",
    "trade policy sanctions": "t",
    "central bank monetary policy": "b",
    "energy oil commodities": "c",
    "Information Technology": "i",
    "Health Care": "h",
    "Financials": "f",
    "Real Estate": "r",
    "Utilities": "u",
}
MARKET = "gtbcm"
"""What market news are filed under."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One article with its labels."""

    title: str
    summary: str
    labels: str


_ROWS = """
g | Ceasefire talks stall as fighting resumes along the Karvan border | Diplomats left without a date for another round.
g | NATO members pledge air defence systems for Ostrava province | The alliance meets again in June.
gf | Missile strike hits port city, shipping insurers raise premiums | Freight through the strait was halted for a day.
g | Israel and Iran exchange threats after drone attack | Security council to meet on Thursday.
g | China holds military drills around Taiwan after arms package | Beijing called the sale a provocation.
g | Hostage release clears the way for truce in Gaza | Mediators expect the first phase to last six weeks.
gc | Houthi attacks push tankers away from the Red Sea, crude climbs | Brent gained 3% as ships took the long way.
g | Kremlin rejects peace deal drafted by envoys | Putin's spokesman said the terms were unacceptable.
gtf | New sanctions on Russian banks close a loophole | Treasury names 14 lenders.
g | Coup attempt fails in Sambira, president says army is loyal | The military restored order overnight.
t | White House sets 25% tariff on imported trucks | Carmakers with plants in Mexico fall.
t | Canada answers with retaliatory duties on steel and dairy | The levy takes effect on imports from Monday.
t | Negotiators near trade deal that spares car exporters | Both sides would lower quotas.
t | Export controls on advanced lithography tools widened | Three more suppliers need a licence.
t | Importers rush goods through customs before the tariff deadline | Ports report the busiest week of the year.
t | Reciprocal tariffs explained: which countries pay what | A table of rates by country.
t | EU weighs protectionist answer as trade war fears grow | Brussels prepares a list of goods.
t | Solar panel makers face section 301 duties | An investigation ends with a higher rate.
t | Trade deficit widens to a record as imports surge | Companies stocked up ahead of tariffs.
t | Retailer warns that tariffs will raise shelf prices by autumn | Its chief executive spoke to analysts.
b | Fed holds rates and signals two cuts this year | Powell said policymakers are in no hurry.
b | ECB trims deposit rate by a quarter point | Lagarde sees inflation at target next year.
b | Bank of Japan ends negative interest rates | It was the first rate hike in seventeen years.
b | Treasury yields fall as traders price in June rate cut | The 10-year yield lost eight basis points.
b | Inflation cools more than expected, opening door to easing | CPI rose 0.1% in the month.
b | Dot plot shows divided committee | Half of the members see no rate cut.
b | Central bankers warn that price pressures may last | Hawkish remarks came from three regional presidents.
b | Powell heads to Capitol Hill with a message of patience | Lawmakers will ask about monetary policy.
bf | Mortgage lenders cut offers after bond yields slide | Yields on the 10-year bond touched a low.
b | PCE report leaves Fed on hold | Core prices rose as forecast.
c | OPEC+ agrees to raise output from May | Eight members will add supply each month.
c | Oil slips below $65 on demand worries | Inventories at Cushing rose.
c | Gold hits record above $3,100 an ounce as investors seek safe haven | Bullion has gained 18% this year.
c | Copper futures jump as smelters cut production | Mines in the south report lower output.
c | Natural gas inventories fall short of forecasts | A cold spell lifted demand.
c | Wheat prices climb as drought threatens the harvest | Exporters may limit shipments.
c | US crude stockpiles post surprise draw | Refinery runs rose to 90%.
c | Lithium producer shuts mine as prices sink | Supply still exceeds demand.
c | Refiners' margins shrink as gasoline demand fades | Two plants will close for maintenance.
c | Iron ore slides on weak steel output | Port inventories are at a two-year high.
c | Cocoa prices double after poor crop | Chocolate makers warn of shortage.
c | Shale drillers idle rigs as Brent weakens | The rig count fell for a fifth week.
m | Wall Street closes lower as megacaps slide | The S&P 500 lost 1.4% in heavy trading.
m | Dow tumbles 900 points in broad selloff | All eleven sectors ended in the red.
m | Stocks rally as payrolls beat forecasts | Unemployment stayed at 4.1%.
m | Recession odds rise, economists say in survey | GDP may shrink this quarter.
m | VIX jumps above 30 as market rout deepens | Hedge funds cut positions.
m | Retail sales disappoint as consumers pull back | Consumer confidence fell to a two-year low.
m | Nasdaq enters correction territory | The index is 10% below its peak.
m | Jobless claims tick up, labor market cools | Continuing claims rose as well.
m | Asian shares sink after rout in New York | Futures point to a weak open in Europe.
m | Factory activity contracts for a third month, PMI shows | New orders fell.
m | Government shutdown averted hours before deadline | Senators passed a stopgap bill.
m | Credit downgrade of the United States unsettles bond market | The budget deficit was cited.
i | Chipmaker unveils GPU for data centers | The processor ships in the third quarter.
i | Cloud computing spending slows at large enterprises | Software budgets are under review.
i | OpenAI rival raises $4 billion at record valuation | The artificial intelligence start-up doubled its revenue.
i | Cybersecurity firm finds breach at software vendor | Customers were told on Friday.
i | Smartphone shipments grow for the first time in two years | Premium models led.
i | Quantum computing start-up shows a larger machine | Its qubits last longer.
h | FDA approves first pill for rare liver disease | The drugmaker expects sales to start in July.
h | Obesity drug cuts weight by a fifth in late-stage study | The phase 3 trial enrolled 3,000 patients.
h | Medicare proposes lower payments to insurers | Health insurers fell in late trading.
h | Hospital operator raises outlook on higher admissions | Revenue per patient grew.
h | Biotech halts clinical trial after safety signal | Shares fell by half.
h | Vaccine maker wins order from the health ministry | Deliveries begin in the autumn.
f | Regional bank sets aside more for bad loans | The lender cited office buildings.
f | Investment banking fees recover at large brokerages | Advisers expect more deals.
f | Insurer counts cost of hailstorms | Underwriting profit fell.
f | Private credit funds draw scrutiny from regulators | Asset managers defended their valuations.
f | Fintech gains banking licence | It will take deposits next year.
f | Stress test results clear the way for bank buybacks | All 22 lenders passed.
r | Home sales fall to a decade low as mortgage rates bite | Homebuyers wait for lower prices.
r | Office landlord hands keys back to lenders | Vacancy in commercial property is at a record.
r | REIT raises dividend as warehouse rents climb | Tenants renewed at higher rates.
r | Apartment completions peak, easing rents | Supply outpaced demand in the south.
u | Grid operator warns of summer shortfall | Power demand from data centers grows.
u | Utility asks regulator for higher electricity rates | Ratepayers would pay 6% more.
u | Nuclear plant to restart after five years | The reactor would supply 800 megawatts.
u | Transmission line approved across three states | It will carry two gigawatts of wind power.
 | Here's what's worth streaming in May | Our picks of films and series on six platforms.
 | 5 High-Yield Dividend Stocks to Buy and Hold Forever | These companies raised payouts for decades.
 | Are High-Yield Dividend Stocks Best for Income Investors? | A dividend yield of 6% comes with risk.
 | Is the Broad Dividend Yield ETF the Smartest Investment You Can Make? | The fund owns 400 payers of dividends.
 | Sparkle launches new and improved Platinum Plus dish soap | Tackles the toughest meal cleanups with one pod.
 | Best credit card deals of the week | Earn rewards with a gold card or a platinum card.
 | Olivetta brings cold-pressed olive oil to more stores | The brand adds 200 shops.
 | Corner bakery chain wins the chicken sandwich war | Diners liked the pickles.
 | Streaming war heats up as two platforms merge bundles | Viewers get a lower price.
 | The talent war: why analysts change desks | Recruiters say pay is up.
 | Heavy-duty truck review: comfort on long hauls | The cabin is quieter than before.
 | Call of Duty sequel tops the charts | Players waited three years.
 | How to trade this stock like a pro | A trading idea from our newsletter.
 | Silver lining for hikers as trail reopens | Volunteers cleared the path.
 | Golden retriever wins the dog show | The judges praised its coat.
 | Marvent Law Firm announces class action on behalf of Polbrook investors | The deadline is in June.
 | Hydraulic Valve Market to Reach USD 4.2 Billion by 2032 at a CAGR of 6.1% | Report covers 40 vendors.
 | Jim Cramer on Holvane: 'I would own it' | We recently published a list of stocks he discussed.
 | Summit Foods names new marketing chief | She joins from a rival.
 | Investor summit to host 60 small companies | Presentations are free to watch.
 | Fedora maker opens flagship shop | Hats are back in fashion.
 | Harbor Tools opens distribution center in Ohio | It employs 300 people.
 | Coffee chain tests oat drinks | Customers in five cities can try them.
 | Blue chip golf tournament draws record crowd | The final round is on Sunday.
 | Movie director turns conflict of interest into comedy | Critics were kind.
 | Wide receiver signs record contract | The deal runs for four years.
 | Potato chip flavours we tried this week | Vinegar won.
 | Course materials for the fall term are online | Students can download them.
 | Engineering manager interview prep course updated | Learn what recruiters ask.
 | Q4 2024 commentary of the Larkfield Growth Fund | The fund gained 4% in the quarter.
 | Rental car desks extend hours for the holidays | Travelers should book early.
 | Warranty claims: how to read the small print | A guide for buyers.
"""
ARTICLES = tuple(
    Labelled(title.strip(), summary.strip(), labels.strip())
    for labels, title, summary in (row.split(" | ") for row in _ROWS.strip("\n").splitlines())
)
