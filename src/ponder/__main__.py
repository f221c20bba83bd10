"""``python -m ponder`` is the command line."""

from ponder.cli import main

main()
