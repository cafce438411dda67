"""What a message leaves out and what it says beside its question: ellipses written out, clauses that ask nothing."""
