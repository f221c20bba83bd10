"""The formats of files of this layer: see `ponder.core.registry`."""

from ponder.core.formats import FileFormat

FORMATS = {
    "match": FileFormat(
        "a file of match records",
        b'{"ponder_match": ',
        "games.jsonl",
        "ponder.arena.example_files:write_match",
        "ponder.arena.example_files:read_match",
    ),
    "openings": FileFormat(
        "a file of openings",
        b"",
        "openings.txt",
        "ponder.arena.example_files:write_openings",
        "ponder.arena.example_files:read_openings",
    ),
}
