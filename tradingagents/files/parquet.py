"""pyarrow, which reads and writes Parquet files, for every module that needs it.

It is 170 MB to install, and only recorded data are Parquet: hence the extra `snapshot`. Importing this module without
it raises, so that a module which imports this one is itself imported only where recorded data are read or written.

`to_numpy`, `pa.array` and `pa.scalar` of pyarrow import pandas, 75 MB and 0.4 s of processor in every process, which
most need for nothing else: columns are read as NumPy arrays with the functions of this module.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

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

__all__ = ["ParquetMissing", "column_of", "days_of", "numbers_of", "pa", "pc", "pq", "texts_of"]


def column_of(file: pq.ParquetFile, name: str) -> pa.Array:
    """Read one column: one at a time and in one thread, which keeps the buffers small."""
    table = file.read(columns=[name], use_threads=False).unify_dictionaries()
    return table[name].combine_chunks()


def texts_of(column: pa.Array) -> tuple[npt.NDArray[np.int32], list[str]]:
    """Return a text column as codes and the texts they denote.

    Raises:
        ValueError: A row has none.
    """
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    if coded.null_count:
        raise ValueError("a row without a text")
    return _array(coded.indices), coded.dictionary.to_pylist()


def numbers_of(column: pa.Array, name: str) -> npt.NDArray[Any]:
    """Return a column of numbers; a row without one is NaN.

    Raises:
        TypeError: It holds something else.
    """
    whole = pa.types.is_integer(column.type)
    if not (whole or pa.types.is_floating(column.type)):
        raise TypeError(f"the column {name} holds {column.type}, no numbers")
    if column.null_count:
        column = (column.cast(pa.float64()) if whole else column).fill_null(float("nan"))
    return _array(column)


def days_of(column: pa.Array) -> npt.NDArray[np.datetime64]:
    """Return a column of days or instants as days; a row without one is NaT."""
    numbers = column.cast(pa.date32()).cast(pa.int32()).cast(pa.int64())
    if numbers.null_count:
        numbers = numbers.fill_null(np.datetime64("NaT").astype(np.int64).item())
    days: npt.NDArray[np.datetime64] = _array(numbers).view("datetime64[D]")
    return days


def _array(column: pa.Array) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = np.from_dlpack(column)
    return found
