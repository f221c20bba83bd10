"""What five sources on game-tree search say, statement by statement, and where to see each here.

The statements stand in `statements.toml`, a record each; `statements.py` reads it and says what a
record is; `finding.py` searches them (``ponder sources WORD``). `docs/sources.md` is made from the
same file by ``python docs/sources_page.py``, and `tests/sources` holds every command, name and page
against the program.
"""
