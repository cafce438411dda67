"""What rows of tables give together: ratios of parts, differences, figures of tables that are titled by parts."""
