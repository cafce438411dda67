"""What an agent, the command line or a server can ask of the market: one declaration each."""
