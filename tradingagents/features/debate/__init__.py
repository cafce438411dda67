"""Bull against bear on one company from shared evidence, a verdict, and questions about it."""
