"""``python -m ponder.cli.continued HANDED ...``: a command line that takes over a plain search.

Begun by `ponder.cli.tier` in the place of the process that searched in plain mode.
"""

import json
import sys


def begin() -> None:
    from ponder.cli import last_words, main
    from ponder.cli.tier import Handed, Role

    Role.handed = Handed(*json.loads(sys.argv.pop(1)))
    last_words(Role.handed.found)
    main()


if __name__ == "__main__":
    begin()
