"""Who examines games and rules of the user's: see `ponder.core.registry`."""

EXAMINERS = {"check": "ponder.check.examination:examine"}
RULE_EXAMINERS = {"needed_fields": "ponder.check.needed_fields:examine"}
