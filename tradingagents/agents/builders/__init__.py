"""Builders of agent nodes, one file for each kind of agent."""
