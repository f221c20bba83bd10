"""The engines of this layer by name: see `ponder.core.registry`."""

from ponder.core.formats import FileFormat

ENGINES = {
    "book": "ponder.book.engine:BookEngine",
}

FORMATS = {
    "book": FileFormat(
        "a book",
        b"PONDERBK",
        "openings.book",
        "ponder.book.example_files:write_book",
        "ponder.book.example_files:read_book",
    ),
    "polyglot": FileFormat(
        "a Polyglot book",
        b"",
        "openings.bin",
        "ponder.book.example_files:write_polyglot",
        "ponder.book.example_files:read_polyglot",
    ),
}
