"""Parts and presets of learning by name: see `ponder.core.registry`."""

from ponder.core.formats import FileFormat

PARTS = {
    "evaluate": {
        "net": "ponder.learn.net:Net",
        "net_rollout": "ponder.learn.net_rollout:NetRollout",
    },
}

PRESETS = {"alphazero": "ponder.learn.presets:alphazero"}

STRONG = {
    "breakthrough(columns=6, rows=6, pawn_rows=0)": (
        "alphazero(net='breakthrough6', backup=solver())"
    ),
    "connect4(columns=7, rows=6, run=4, players=2)": "alphazero(net='connect4', backup=solver())",
    "hex(size=7, swap=False)": "alphazero(net='hex7')",
    "othello(columns=6, rows=6, scores=False)": "alphazero(net='othello6', backup=solver())",
}
"""Where a shipped network beats what `strong()` would take otherwise: docs/mcts/strong.md."""

FORMATS = {
    "network": FileFormat(
        "a network",
        b"PONDER NETWORK 1",
        "tictactoe.network",
        "ponder.learn.example_files:write_network",
        "ponder.learn.example_files:read_network",
    ),
    "network of a record": FileFormat(
        "a network",
        b"PONDER NETWORK 1",
        "nim.network",
        "ponder.learn.example_files:write_record_network",
        "ponder.learn.example_files:read_record_network",
    ),
    "small network": FileFormat(
        "a network",
        b"PONDER NETWORK 1",
        "small.network",
        "ponder.learn.example_files:write_small_network",
        "ponder.learn.example_files:read_small_network",
    ),
    "network beside the kernel": FileFormat(
        "a network",
        b"PONDER NETWORK 1",
        "mlp.network",
        "ponder.learn.example_files:write_module_network",
        "ponder.learn.example_files:read_module_network",
    ),
    "onnx": FileFormat(
        "an ONNX model",
        b"",
        "tictactoe.onnx",
        "ponder.learn.example_files:write_onnx",
        "ponder.learn.example_files:read_onnx",
    ),
    "played games": FileFormat(
        "a file of games",
        b"PONDER PLAYED  1",
        "games/000003.played",
        "ponder.learn.example_files:write_played",
        "ponder.learn.example_files:read_played",
    ),
    "checkpoint": FileFormat(
        "a checkpoint",
        b"PONDER TRAINING1",
        "checkpoint",
        "ponder.learn.example_files:write_checkpoint",
        "ponder.learn.example_files:read_checkpoint",
    ),
    "training log": FileFormat(
        "the log of a training run",
        b'{"rounds": ',
        "log.jsonl",
        "ponder.learn.example_files:write_log",
        "ponder.learn.example_files:read_log",
    ),
    "training settings": FileFormat(
        "the settings of a training run",
        b"",
        "config.json",
        "ponder.learn.example_files:write_settings",
        "ponder.learn.example_files:read_settings",
    ),
    "codes": FileFormat(
        "the codes of a plain game",
        b"",
        "codes.json",
        "ponder.learn.example_files:write_codes",
        "ponder.learn.example_files:read_codes",
    ),
}
