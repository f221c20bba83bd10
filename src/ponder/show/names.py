"""Who draws: see `ponder.core.registry`."""

DRAWERS = {
    "session": "ponder.show.draw:session_svg",
    "result": "ponder.show.draw:result_svg",
}
