"""Answers that are stored, in memory or on disk, or shared while they are awaited."""
