"""Bull against bear on one company from shared evidence, a moderator's verdict, and questions about it afterwards."""
