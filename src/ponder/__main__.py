"""``python -m ponder`` is the command line."""

import os
import sys

# `python -m` puts the current folder first: json.py there would be run in place of Python's own
if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):
    del sys.path[0]

from ponder.cli import main

main()
