"""What all three risk debaters are asked; each adds its own stance."""

OPENING = """
You are the first to speak, so rebut nobody. In 150 to 300 words judge the trader's plan: its size, entry, stop and target
against volatility, drawdown and the evidence. Say which size you would take, as a fraction of equity, and why.
"""
ANSWERING = """
The others have spoken. In 150 to 300 words answer the strongest point made against your view, quoting it, with figures from
the reports; concede what is right. Say which size you would take now, as a fraction of equity, and why. Do not repeat yourself.
"""
