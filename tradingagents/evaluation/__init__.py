"""Measure the outcomes of past decisions and draw lessons from them."""
