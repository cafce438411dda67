"""Rules of the debate on one company: topics with a claim for each side, answers, the verdict."""
