"""One command line, from its arguments to its exit status: `run` turns errors into lines.

Nothing heavy (NumPy, Numba, Rich) is imported before a command begins its work, so that
``ponder --help`` answers at once: commands import what they need inside their functions.

Exit status: 0 all is well; 2 the user's input or game is at fault (one line on stderr that says
how); 130 after Ctrl-C. A traceback means a bug in Ponder.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import typer

from ponder.cli import INTERRUPTED, last_words
from ponder.cli.app import build_app
from ponder.cli.console import say
from ponder.cli.spelling import spell_out
from ponder.cli.tier import Role
from ponder.core.interrupt import leave, watched
from ponder.errors import InputError, PonderError

USER_ERROR = 2

LEAST_MEMORY = 900 << 20
"""Addresses, not bytes in use: the compiler alone reserves most of it."""
# Typer shows only one of the classes of its command-line parser; this is the root of its errors.
_ParserError: type[Exception] = typer.BadParameter.__mro__[2]


def main() -> None:
    """Run what was typed and leave with its status."""
    sys.unraisablehook = _unless_interrupted
    Role.program = True
    _open_closed_streams()
    spell_out()
    with watched(lambda text: say(last_words())) as pressed:
        try:
            status = run(sys.argv[1:])
        except BaseException:
            if not pressed():
                raise
            say(last_words())  # whatever Ctrl-C was turned into on its way
        if pressed():
            atexit._run_exitfuncs()  # as Python would, which then waits for what still runs
            leave()
    # A late Ctrl-C must not disturb the leaving (SIG_IGN would complain of one that is pending).
    signal.signal(signal.SIGINT, lambda number, frame: None)
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit status. Never raises for a user's mistake."""
    before, warnings.showwarning = warnings.showwarning, _one_line_warning
    try:
        _refuse_surroundings()
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
        return _fail(last_words(), INTERRUPTED)
    except BrokenPipeError:
        _forget_stdout()
        return 0
    except MemoryError:
        return _fail("not enough memory for that")
    except OSError as error:
        _forget_stdout()
        where = f" {error.filename}" if error.filename else " the output"
        return _fail(f"cannot read or write{where}: {error.strerror or error}")
    finally:
        warnings.showwarning = before


def _refuse_surroundings() -> None:
    """What the compiler would end with a traceback, or the process with no word at all."""
    import ponder.thread_count  # noqa: F401

    try:
        import resource
    except ImportError:  # there are no such limits here
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most != resource.RLIM_INFINITY and most < LEAST_MEMORY:
        raise InputError(
            f"this process may use {most >> 20:,} MB of memory (ulimit -v): "
            f"{LEAST_MEMORY >> 20:,} MB are needed"
        )


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
    from difflib import get_close_matches

    message = error.format_message()  # type: ignore[attr-defined]
    message = (message[:1].lower() + message[1:]).rstrip(".")
    near = re.search(r"\. Did you mean '?([^'?]+)'?\?$", message)  # a command
    if near:
        message = f"{message[: near.start()]}; did you mean {near[1]}?"
    option = getattr(error, "option_name", "")
    close = get_close_matches(option, getattr(error, "possibilities", None) or (), 1)
    if close:
        message = f"no such option: {option}; did you mean {close[0]}?"
    context = getattr(error, "ctx", None)
    help_text = f"{context.command_path if context is not None else 'ponder'} --help"
    return (
        f"{message} (see {help_text})" if message.endswith("?") else f"{message}; see {help_text}"
    )


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
