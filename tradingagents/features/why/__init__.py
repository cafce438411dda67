"""Why a decision is another one on a later day: exact by the offline analysts, sampled by models."""
