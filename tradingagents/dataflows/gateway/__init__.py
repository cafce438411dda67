"""The gateway: what every vendor's answer passes before anything else of the library sees it."""
