"""Parts and presets of learning by name: see `ponder.core.registry`."""

PARTS = {
    "evaluate": {
        "net": "ponder.learn.net:Net",
        "net_rollout": "ponder.learn.net_rollout:NetRollout",
    },
}

PRESETS = {"alphazero": "ponder.learn.presets:alphazero"}
