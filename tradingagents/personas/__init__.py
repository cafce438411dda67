"""Investor personas: one YAML file each, and their loader."""
