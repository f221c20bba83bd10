"""The server: pages, their files, and a socket for each open page with a worker behind it."""

from __future__ import annotations

import asyncio
import contextlib
import html
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ponder.errors import PonderError
from ponder.explorer.guard import Guard
from ponder.explorer.messages import MESSAGES, read_message
from ponder.explorer.pages import BY_NAME, PAGES, Page
from ponder.explorer.pool import Pool, Worker

STATIC = Path(__file__).parent / "static"
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
REFUSED = 4403
"""The code with which a socket is closed."""
NO_TOKEN = (
    "Open the explorer with the whole address that ponder explore printed: it ends with a token, "
    "which this server asks of everybody once. Copy it from the terminal, or start ponder explore "
    "again."
)


class Guarded:
    """Every request and every socket goes through the guard first."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        is_socket = scope["type"] == "websocket"
        refusal = self.guard.refusal(connection.headers, is_socket)
        if refusal is None and not scope["path"].startswith("/static/"):
            given = connection.query_params.get("token")
            if given is not None and not is_socket and self.guard.admits(given):
                await self._with_cookie(connection, scope, receive, send)
                return
            if not self.guard.admits(connection.cookies.get(self.guard.cookie)):
                refusal = NO_TOKEN
        if refusal is None:
            await self.app(scope, receive, _with_headers(send))
        elif is_socket:
            await send({"type": "websocket.close", "code": REFUSED, "reason": refusal[:100]})
        else:
            page = error_page("This page is closed to you", refusal, 403)
            await page(scope, receive, _with_headers(send))

    async def _with_cookie(
        self, connection: HTTPConnection, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Keep the token in a cookie, and take it out of the address, which people share."""
        answer = RedirectResponse(connection.url.path, 303)
        answer.set_cookie(self.guard.cookie, self.guard.token, httponly=True, samesite="strict")
        await answer(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def sent(message: Any) -> None:
        if message["type"] == "http.response.start":
            known = {name for name, _ in message["headers"]}
            message["headers"] += [
                (name.encode(), value.encode())
                for name, value in HEADERS.items()
                if name.encode() not in known
            ]
        await send(message)

    return sent


# ------------------------------------------------------------------ pages


def shell(title: str, main: str, current: str = "", head: str = "") -> str:
    """A whole page: the frame that all have in common, around `main`."""
    links = "".join(
        f'<a href="{page.path}"{" aria-current=page" if page.name == current else ""}>'
        f"{html.escape(page.title)}</a>"
        for page in PAGES
    )
    text = (STATIC / "shell.html").read_text()
    for name, value in (("title", title), ("links", links), ("main", main), ("head", head)):
        text = text.replace(f"<!--{name}-->", value)
    return text


def page_response(page: Page) -> Response:
    head = (
        f'<link rel="stylesheet" href="/static/pages/{page.name}.css">'
        f'<script type="module" src="/static/pages/{page.name}.js"></script>'
    )
    main = '<noscript><p class="notice">This page needs JavaScript.</p></noscript>'
    return HTMLResponse(shell(f"{page.title} · Ponder", main, page.name, head))


def error_page(title: str, sentence: str, status: int, way_on: str = "") -> Response:
    main = (
        f'<div class="sheet"><h1>{html.escape(title)}</h1>'
        f'<p class="lead">{html.escape(sentence)}</p>{way_on}</div>'
    )
    return HTMLResponse(shell(f"{title} · Ponder", main), status)


def way_to_every_page() -> str:
    """Links with a sentence each, for whoever is lost."""
    items = "".join(
        f'<li><a href="{page.path}">{html.escape(page.title)}</a> '
        f'<span class="soft">{html.escape(page.summary)}</span></li>'
        for page in PAGES
    )
    return f'<p>These pages are there:</p><ul class="ways">{items}</ul>'


async def not_found(request: Request, error: Exception) -> Response:
    sentence = f"There is nothing at {request.url.path}."
    return error_page("There is no such page", sentence, 404, way_to_every_page())


# ------------------------------------------------------------------ sockets


class Seat:
    """One open page: its socket, and the worker that searches for it."""

    def __init__(self, socket: WebSocket, pool: Pool, plain: bool) -> None:
        self.socket, self.pool, self.plain = socket, pool, plain
        self.worker: Worker | None = None
        self.pump: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Answer the page until it goes; then its worker goes, too."""
        try:
            while True:
                await self._hear(await self.socket.receive_text())
        except (WebSocketDisconnect, KeyError, RuntimeError):
            pass  # the page has gone, or sent bytes
        finally:
            if self.pump is not None:
                self.pump.cancel()
            if self.worker is not None:
                await self.pool.give_back(self.worker)

    async def _hear(self, data: str) -> None:
        try:
            message = read_message(data)
            if self.worker is None:
                if not MESSAGES[message["do"]].spawns:
                    raise PonderError("there is no search yet: open one first")
                self.worker = await self.pool.take(self.plain)
                self.pump = asyncio.create_task(self._pump(self.worker))
        except PonderError as error:
            await self.socket.send_text(json.dumps({"re": id_of(data), "error": str(error)}))
            return
        await self.worker.send(json.dumps(message).encode())

    async def _pump(self, worker: Worker) -> None:
        """Pass on what the worker says, until it ends."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while (frame := await worker.receive()) is not None:
                letter, data = frame
                if letter == b"U":
                    await self.socket.send_bytes(data)
                else:
                    await self.socket.send_text(data.decode())
            self.worker = None
            status = await self.pool.give_back(worker)
            await self.socket.send_text(json.dumps({"told": "lost", "error": ending(status)}))


def id_of(data: str) -> int | None:
    """The number of a message that was refused, where it has one."""
    try:
        number = json.loads(data)["id"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return number if type(number) is int and 0 <= number <= 2**53 else None


def ending(status: int) -> str:
    """Why a worker has ended."""
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"The search was ended from outside ({signal.Signals(-status).name})."
    return "The search has ended unexpectedly; the terminal may say why."


# ------------------------------------------------------------------ the application


def application(guard: Guard, files: list[Path]) -> ASGIApp:
    """The explorer as an ASGI application."""
    pool: Pool | None = None

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        nonlocal pool
        pool = Pool(files)
        pool.warm(PAGES[0].plain)
        yield
        await pool.close()

    async def socket(websocket: WebSocket) -> None:
        page = BY_NAME.get(websocket.query_params.get("page", ""))
        if page is None or pool is None:
            await websocket.close(REFUSED)
            return
        await websocket.accept()
        await Seat(websocket, pool, page.plain).serve()

    routes: list[Any] = [Route(page.path, _page(page)) for page in PAGES]
    routes += [
        WebSocketRoute("/socket", socket),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: not_found})
    return Guarded(app, guard)


def _page(page: Page) -> Any:
    async def answer(request: Request) -> Response:
        return page_response(page)

    return answer
