"""What a company's capital costs: market rates of the day, betas, the equity premium, and what lasts for ever."""
