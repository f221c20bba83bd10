"""Parts and presets of learning by name: see `ponder.core.registry`."""

PARTS = {
    "evaluate": {"net": "ponder.learn.net:Net"},
}

PRESETS = {"alphazero": "ponder.learn.presets:alphazero"}
