"""Recorded companies whose data are corrupted in one way, as people meet it, and what the product makes of them.

    python -m benchmarks.data_corruptions --seeds 100 --out FILE
    python -m benchmarks.data_corruptions --kinds year-to-date,halt --seeds 10
    python -m benchmarks.data_corruptions --kinds halt --case 7

A case is a kind and a seed. The seed draws a recorded company and a day; the kind corrupts a copy of the company's
data (`price_kinds`, `statement_kinds`, `other_kinds`). Every question about the company is put to the clean copy and
to the corrupted one (`asking`), and the answers are compared (`judging`), with few and narrow allowances
(`allowances`). Nothing here knows how the product tells a fault.
"""
