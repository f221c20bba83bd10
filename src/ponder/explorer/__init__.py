"""The explorer: watch, steer, rewind and understand a search in the browser (`ponder explore`).

Begin reading with `messages` (all that a page may ask), then `worker` (who answers), `live` (a
session that is watched) and `server` (who stands between). `static/` is the page itself.
"""
