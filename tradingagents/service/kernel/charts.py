"""The files of a chart: one HTML page and, with the extra `charts`, one PNG, in `<home>/charts`."""

from __future__ import annotations

from tradingagents.analytics.price.chart_data import ChartData
from tradingagents.dataflows.results import Result
from tradingagents.files.atomic import replace_whole, write_whole, writing
from tradingagents.reports.chart_report import chart_document
from tradingagents.reports.charts.chart_image import MatplotlibMissing, chart_png
from tradingagents.reports.render.html import to_html
from tradingagents.runtime.runs.run_folder import subject_of
from tradingagents.settings import Settings

FOLDER = "charts"
FONT_CACHE = "cache/matplotlib"


def with_chart_files(result: Result, settings: Settings) -> Result:
    """Draw a chart's files, which replace those of the same symbols and days, and add their paths to the result.

    Raises:
        HomeNotWritable: The files cannot be written.
    """
    if not isinstance(result, ChartData):
        raise TypeError("files belong to a chart")
    home = settings.home_dir
    path = home / FOLDER / f"{chart_name(result)}.html"
    files, notes = [path], []
    with writing(home):
        write_whole(path, to_html(chart_document(result)))
        try:
            image = chart_png(result, cache=home / FONT_CACHE)
        except MatplotlibMissing as error:
            notes.append(f"{error}.")
        else:
            files.append(path.with_suffix(".png"))
            replace_whole(files[-1], image)
    return result.with_files([str(chart) for chart in files], notes)


def chart_name(data: ChartData) -> str:
    """Return the name of a chart's files: its symbols and days, in characters that are safe in a path."""
    symbols = [compared.symbol for compared in data.compared] or [data.symbol or ""]
    return "_".join([*map(subject_of, symbols), str(data.start), str(data.end)])
