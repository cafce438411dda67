"""Agents of the debate on one company: two advocates, a moderator, and one that answers questions afterwards."""
