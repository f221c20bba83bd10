"""The engines of this layer by name: see `ponder.core.registry`."""

ENGINES = {
    "book": "ponder.book.engine:BookEngine",
}
