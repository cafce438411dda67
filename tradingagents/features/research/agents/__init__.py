"""Agents of the research loop: understand, plan, execute, reflect, synthesise."""
