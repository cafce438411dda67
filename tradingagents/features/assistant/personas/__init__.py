"""Investor personas whom the assistant consults, one YAML file each, and their loader."""
