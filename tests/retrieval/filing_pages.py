"""A small annual report, page by page, as the reader lays it out."""

CONTENTS = """Example Corp
TABLE OF CONTENTS
PART I
Item 1. Business 3
Item 1A. Risk Factors 9
Item 2. Properties 14
PART II
Item 7. Management's Discussion and Analysis 15
Item 7A. Quantitative and Qualitative Disclosures 20
Item 8. Financial Statements 21
Item 9A. Controls and Procedures 40"""
BUSINESS = """Item 1. Business
Example Corp makes pumps, valves and motors for farms and mines. Its customers are distributors in North America and
Europe. Demand is seasonal: distributors order before the planting season, and prices of copper and steel vary."""
RISKS = """Item 1A. Risk Factors
A strike at the port, a flood or the loss of our largest distributor could harm our results of operations."""
DISCUSSION = """Item 7. Management's Discussion and Analysis of Financial Condition and Results of Operations
Gross margin rose to 36.0% of net sales in fiscal 2023 from 33.1% in fiscal 2022, driven by lower freight costs and
price increases. Capital expenditures were $61 million in 2023. Net sales grew 8% on higher volumes of motors.
Results of operations 2023 2022
Net sales 1,080 1,000
Cost of goods sold 691 669
Gross profit 389 331
Operating income by product
Pumps 90 80
Motors 60 40"""
INCOME = """Example Corp
Consolidated Statements of Operations
(in millions, except per share amounts)
Year Ended December 31,
2023 2022 2021
Net sales $ 1,080 $ 1,000 $ 940
Cost of goods sold 691 669 640
Gross profit 389 331 300
Selling, general and administrative expenses 239 211 200
Operating income 150 120 100
Interest expense (12) (11) (10)
Income before income taxes 138 109 90
Provision for income taxes 30 24 19
Net income $ 108 $ 85 $ 71
Earnings per share
Basic $ 1.08 $ 0.85 $ 0.71
Diluted $ 1.07 $ 0.84 $ 0.70
See accompanying notes to consolidated financial statements."""
BALANCE = """Example Corp
Consolidated Balance Shee ts
(in millions)
December 31,
2023 2022
Assets
Cash and cash equivalents $ 120 $ 95
Accounts receivable, net 140 130
Inventories 160 150
Total current assets 420 375
Property, plant and equipment, net 380 360
Goodwill 100 100
Total assets $ 900 $ 835
Liabilities and Stockholders' Equity
Accounts payable $ 110 $ 105
Total current liabilities 210 205
Long-term debt 240 240
Total liabilities 450 445
Additional paid-in capital 150 145
Retained earnings 300 245
Total stockholders' equity 450 390
Total liabilities and stockholders' equity $ 900 $ 835
See accompanying notes to consolidated financial statements."""
CASH = """Example Corp
Consolidated Statements of Cash Flows
(in millions)
Year Ended December 31,
2023 2022 2021
Net income $ 108 $ 85 $ 71
Depreciation and amortization 44 41 40
Inventories (10) (8) (6)
Net cash provided by operating activities 142 118 105
Purchases of property, plant and equipment (61) (55) (48)
Net cash used in investing activities (61) (55) (48)
Dividends paid (53) (50) (45)
Net cash used in financing activities (56) (50) (45)
Net change in cash 25 13 12
Cash and cash equivalents at beginning of year 95 82 70
Cash and cash equivalents at end of year $ 120 $ 95 $ 82
See accompanying notes to consolidated financial statements."""
NOTES = """Example Corp
Notes to Consolidated Financial Statements
Note 1. Basis of presentation
The consolidated financial statements include the accounts of Example Corp and of the subsidiaries that it controls."""
SEGMENTS = """Example Corp
Notes to Consolidated Financial Statements
Note 15. Segment information
We report two segments. The segment measure is operating income; segment assets are not reported.
Net sales by segment 2023 2022
Pumps segment 640 600
Motors segment 440 400"""
EXHIBITS = """Item 15. Exhibits
3.1 Certificate of incorporation of Example Corp
3.2 By-laws of Example Corp
10.1 Form of indemnification agreement
10.2 2019 stock incentive plan
31.1 Certification of the chief executive officer"""

ANNUAL_REPORT = (CONTENTS, BUSINESS, RISKS, DISCUSSION, INCOME, BALANCE, CASH, NOTES, SEGMENTS, EXHIBITS)
