"""What an audit computes a second time, by none of the code that it checks: prices, rates, rules and books."""
