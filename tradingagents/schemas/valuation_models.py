"""Names of the models that value a company, declared once: questions, commands, tasks and schemas read them here."""

from __future__ import annotations

from typing import Literal, get_args

FittedModel = Literal["fcff", "excess_returns", "dividend_discount", "funds_from_operations"]
ModelName = Literal["auto", "fcff", "excess_returns", "dividend_discount", "funds_from_operations"]
"""`auto` chooses by the kind of company (`valuation.company.kind`)."""
MODEL_NAMES: tuple[str, ...] = get_args(ModelName)
