"""Methods of single kinds of company: real-estate trusts, and companies before their first profit."""
