"""One command line, from its arguments to its exit status: `run` turns errors into lines.

Nothing heavy (NumPy, Numba, Rich) is imported before a command begins its work, so that
``ponder --help`` answers at once: commands import what they need inside their functions.

Exit status: 0 all is well; 2 the user's input or game is at fault (one line on stderr that says
how); 130 after Ctrl-C. A traceback means a bug in Ponder.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import typer

from ponder.cli import INTERRUPTED
from ponder.cli.app import build_app
from ponder.cli.console import say
from ponder.errors import PonderError

USER_ERROR = 2

# Typer shows only one of the classes of its command-line parser; this is the root of its errors.
_ParserError: type[Exception] = typer.BadParameter.__mro__[2]


def main() -> None:
    """Run what was typed and leave with its status."""
    sys.unraisablehook = _unless_interrupted
    _open_closed_streams()
    status = run(sys.argv[1:])
    # A late Ctrl-C must not disturb the leaving (SIG_IGN would complain of one that is pending).
    signal.signal(signal.SIGINT, lambda number, frame: None)
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit status. Never raises for a user's mistake."""
    before, warnings.showwarning = warnings.showwarning, _one_line_warning
    try:
        status = _invoke(list(arguments))
        sys.stdout.flush()
        return status
    except PonderError as error:
        return _fail(str(error))
    except typer.Exit as end:
        return end.exit_code
    except _ParserError as error:
        return _fail(_usage(error))
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        _forget_stdout()
        return 0
    except MemoryError:
        return _fail("not enough memory for that")
    except OSError as error:
        _forget_stdout()
        where = f" {error.filename}" if error.filename else " the output"
        return _fail(f"cannot read or write{where}: {error.strerror}")
    finally:
        warnings.showwarning = before


def _open_closed_streams() -> None:
    """Python has no streams where the program was started without: say so, or read nothing."""
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        say("standard output is closed: there is nowhere to write the result")
        sys.exit(USER_ERROR)


def _invoke(arguments: list[str]) -> int:
    # Not `app()`: that would catch Ctrl-C and broken pipes in its own way.
    command = typer.main.get_command(build_app())
    with command.make_context("ponder", arguments) as context:
        status = command.invoke(context)
    return status if isinstance(status, int) else 0


def _fail(message: str, status: int = USER_ERROR) -> int:
    with contextlib.suppress(BrokenPipeError):
        say(" ".join(message.split()))
    return status


def _usage(error: Exception) -> str:
    """The parser's complaint in our style: a lower-case sentence without a full stop."""
    message = error.format_message()  # type: ignore[attr-defined]
    message = (message[:1].lower() + message[1:]).rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "ponder"
    return f"{message}; see {path} --help"


def _unless_interrupted(unraisable: Any) -> None:
    """Ctrl-C may fall into the making or clearing up of the compiler's objects: no word of that."""
    of_compiler = str(getattr(unraisable.object, "__module__", "")).startswith("llvmlite")
    if not of_compiler and not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


def _one_line_warning(message: Any, category: Any, *where: Any, **more: Any) -> None:
    """Warnings are for people too: no file names, no source lines."""
    first = str(message).strip().splitlines() or [category.__name__]
    say(f"warning: {first[0]}")


def _forget_stdout() -> None:
    """The reader of our output has gone: let nobody write to it again, not even at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
