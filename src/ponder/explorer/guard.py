"""Who may speak to the explorer: its own pages, opened with the token, under a known host name.

Any web page can make a browser send requests to 127.0.0.1, and a name of its own can point there.
Hence three checks of every request and every socket:

Host      an address that this server was started for: a foreign name means a rebound one
Origin    where it is given, the server's own: another page may not open sockets here
token     128 random bits of the address that `ponder explore` printed; a cookie keeps them

A browser is started with an address that works once: every user of the machine can read it in the
list of processes.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Mapping
from typing import NamedTuple

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def new_token() -> str:
    return secrets.token_urlsafe(16)


def is_loopback(host: str) -> bool:
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


class Guard(NamedTuple):
    """What this server was started with."""

    host: str
    port: int
    token: str
    codes: set[str]
    """Of addresses that work once and have not been used."""

    @classmethod
    def new(cls, host: str, port: int) -> Guard:
        return cls(host, port, new_token(), set())

    def one_time_code(self) -> str:
        code = new_token()
        self.codes.add(code)
        return code

    def redeems(self, code: str | None) -> bool:
        """Does the code let somebody in? Only once."""
        if code not in self.codes:
            return False
        self.codes.remove(code)
        return True

    @property
    def cookie(self) -> str:
        """Cookies do not know ports: two servers of one machine must not take each other's."""
        return f"ponder_{self.port}"

    def refusal(self, headers: Mapping[str, str], socket: bool) -> str | None:
        """A sentence about a request that is not of this server's pages; None of others."""
        host = headers.get("host", "")
        if not self.knows(host):
            return f"This server does not answer to the name {host!r}."
        origin = headers.get("origin")
        if origin is None and not socket:
            return None  # a plain visit
        if origin not in (f"http://{host}", f"https://{host}"):
            return f"Pages of {origin!r} may not speak to this server."
        return None

    def knows(self, host: str) -> bool:
        """Is `host`, as browsers send it, a name of this server?"""
        name, _, port = host.rpartition(":")
        if not name or port != str(self.port):
            return False
        if name in LOOPBACK or name.strip("[]") == self.host:
            return True
        # started for everybody: addresses cannot be rebound, names can
        wide = not is_loopback(self.host)
        return wide and (is_address(name) or name == socket.gethostname())

    def admits(self, token: str | None) -> bool:
        return token is not None and secrets.compare_digest(token.encode(), self.token.encode())
