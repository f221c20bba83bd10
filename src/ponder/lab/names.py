"""The formats of files of this layer: see `ponder.core.registry`."""

from ponder.core.formats import FileFormat

FORMATS = {
    "lab steps": FileFormat(
        "a file of finished steps",
        b'{"command": "ponder lab ',
        "steps.jsonl",
        "ponder.lab.example_files:write_steps",
        "ponder.lab.example_files:read_steps",
    ),
}
