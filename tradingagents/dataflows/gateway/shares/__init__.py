"""Share counts and per-share figures on one basis."""
