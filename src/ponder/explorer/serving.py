"""`serve`: find a port, say the address, open the browser, answer until Ctrl-C."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

from ponder.errors import InputError
from ponder.explorer.guard import Guard, is_loopback
from ponder.explorer.messages import LONGEST_MESSAGE
from ponder.explorer.server import application

TRIED = 20
"""Ports after a busy one that are tried."""


def bound(host: str, port: int) -> socket.socket:
    """A socket on this port, or on the next free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for one in range(port, min(port + TRIED, 65535) + 1):
        # named as TCP, or asyncio does not switch Nagle's algorithm off on accepted connections: an
        # update right after an answer would wait 40 ms for the browser to acknowledge the answer
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, one))
            listener.listen(128)
        except OSError as error:
            listener.close()
            if error.errno in (98, 48, 10048) and port:  # in use
                continue
            raise InputError(f"cannot listen on {host}, port {one}: {error.strerror}") from None
        return listener
    raise InputError(f"no free port among {port} to {port + TRIED}: give another one with --port")


def open_browser(address: str, say: Callable[[str], None]) -> None:
    """Show a page; where that is not possible, say what to do."""
    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        say("no browser was found here: open the address above in one")


def serve(
    host: str,
    port: int,
    files: list[Path],
    browser: bool,
    say: Callable[[str], None],
    path: str = "/",
) -> None:
    """Serve the explorer until Ctrl-C. `path`: what the browser opens."""
    listener = bound(host, port)
    found = listener.getsockname()[1]
    if port and found != port:
        say(f"port {port} is in use; taking {found}")
    if not is_loopback(host):
        say(f"warning: whoever reaches {host} and knows the address below can search here")
    guard = Guard.new(host, found)
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    shown = f"[{shown}]" if ":" in shown else shown
    page, mark, fragment = path.partition("#")
    origin, fragment = f"http://{shown}:{found}", mark + fragment
    print(f"the explorer is at {origin}{page}?token={guard.token}{fragment}", flush=True)
    say("Ctrl-C ends it")
    if browser:
        once = f"{origin}{page}?once={guard.one_time_code()}{fragment}"
        opening = threading.Timer(0.5, open_browser, (once, say))
        opening.daemon = True  # a browser in the terminal returns when it is left
        opening.start()
    config = uvicorn.Config(
        application(guard, files),
        log_level="warning",
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=20.0,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listener])
