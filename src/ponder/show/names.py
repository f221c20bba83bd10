"""Who draws: see `ponder.core.registry`."""

DRAWERS = {
    "session": "ponder.show.draw:session_svg",
    "result": "ponder.show.draw:result_svg",
    "experiment": "ponder.show.experiment:report_plot",
    "experiment, before it runs": "ponder.show.plots:check_plot",
}
