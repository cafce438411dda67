"""The agents and topics of comparisons."""
