"""pyarrow, which reads and writes Parquet files, for every module that needs it.

It is 170 MB to install, and only recorded data are Parquet: hence the extra `snapshot`. Importing this module without
it raises, so that a module which imports this one is itself imported only where recorded data are read or written.
"""

from __future__ import annotations

from tradingagents.errors import ConfigurationError


class ParquetMissing(ConfigurationError):
    """The extra `snapshot` is not installed."""


try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
except ModuleNotFoundError as missing:
    if missing.name != "pyarrow":
        raise
    raise ParquetMissing(
        "Recorded data are Parquet files, which need pyarrow; install the extra: pip install 'tradingagents[snapshot]'."
    ) from None

__all__ = ["ParquetMissing", "pa", "pc", "pq"]
