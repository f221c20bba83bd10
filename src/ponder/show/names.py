"""Who draws: see `ponder.core.registry`."""

RENDERERS = {
    "session": "ponder.show.draw:session_svg",
    "result": "ponder.show.draw:result_svg",
    "report": "ponder.show.experiment:report_plot",
    "plots": "ponder.show.plots:check_plot",
}
