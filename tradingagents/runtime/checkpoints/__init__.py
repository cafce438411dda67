"""Saved steps of runs, by which an interrupted run goes on."""
