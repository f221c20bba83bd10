"""The tables and the formats of files of this layer: see `ponder.core.registry`."""

from ponder.core.formats import FileFormat

TABLEBASES = {
    "part": "ponder.endgame.tables:search_part",
    "save": "ponder.endgame.values:save_values",
}

FORMATS = {
    "endgame table": FileFormat(
        "an endgame table",
        b"PONDER ENDGAME 1",
        "nim.endgame",
        "ponder.endgame.example_files:write_positions",
        "ponder.endgame.example_files:read_positions",
    ),
    "endgame values": FileFormat(
        "an endgame table",
        b"PONDER ENDGAME 1",
        "values.endgame",
        "ponder.endgame.example_files:write_values",
        "ponder.endgame.example_files:read_values",
    ),
    "endgame of chess": FileFormat(
        "an endgame table",
        b"PONDER ENDGAME 1",
        "chess-KRK.endgame",
        "ponder.endgame.example_files:write_chess",
        "ponder.endgame.example_files:read_chess",
    ),
    "bearing off": FileFormat(
        "an endgame table",
        b"PONDER ENDGAME 1",
        "backgammon-wins1.endgame",
        "ponder.endgame.example_files:write_bearing_off",
        "ponder.endgame.example_files:read_bearing_off",
    ),
}
