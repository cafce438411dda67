"""Messages to people: a signed webhook, Slack, Discord, Telegram, e-mail."""
