"""What the project measures itself with; not part of the installed package."""
