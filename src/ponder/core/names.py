"""The formats of records that every game has: see `ponder.core.registry`."""

from ponder.core.formats import RecordFormat

RECORD_FORMATS = {
    "position": RecordFormat("a position", write="ponder.core.record_formats:position_text"),
    "moves": RecordFormat("moves", write="ponder.core.record_formats:moves_text"),
    "json": RecordFormat(
        "a saved game",
        sign=r"\A\{",
        read="ponder.core.record_formats:read_json",
        write="ponder.core.record_formats:json_text",
    ),
}
"""In the order in which a page offers them."""
