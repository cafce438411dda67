"""Tests of lines over spans."""
