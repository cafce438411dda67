"""The kernel: the one way from any caller to a capability, with policy, answer, artifacts and audit."""
