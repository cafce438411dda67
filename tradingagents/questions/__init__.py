"""Capabilities asked by people and programs: what is read from the home folder for them, and what is written there."""
