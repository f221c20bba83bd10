"""Who examines games of the user's: see `ponder.core.registry`."""

EXAMINERS = {"check": "ponder.check.examination:examine"}
