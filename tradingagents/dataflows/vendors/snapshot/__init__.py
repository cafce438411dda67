"""The snapshot vendor: a folder of recorded data (docs/reference/snapshot-format.md) answers offline, point in time."""

from tradingagents.dataflows.vendors.snapshot.vendor import SnapshotVendor

__all__ = ["SnapshotVendor"]
