"""Series against an independent reading of EDGAR's company facts: `python -m benchmarks.series --sec DIR`."""
