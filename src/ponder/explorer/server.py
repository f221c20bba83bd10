"""The server: pages, their files, and a socket for each open page with a worker behind it."""

from __future__ import annotations

import contextlib
import html
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from ponder.explorer.guard import Guard
from ponder.explorer.page_connection import PageConnection
from ponder.explorer.pages import BY_NAME, PAGES, Page
from ponder.explorer.pool import Pool

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
PATHS = {page.path for page in PAGES}
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
            if not self._admits(connection, is_socket):
                refusal = NO_TOKEN
            elif not is_socket and connection.query_params.keys() & {"token", "once"}:
                await self._without_token(scope, receive, send)
                return
        if refusal is None:
            await self.app(scope, receive, _with_headers(send))
        elif is_socket:
            await send({"type": "websocket.close", "code": REFUSED, "reason": refusal[:100]})
        else:
            page = error_page("Access denied", refusal, 403)
            await page(scope, receive, _with_headers(send))

    def _admits(self, connection: HTTPConnection, is_socket: bool) -> bool:
        """By the cookie; a page also by its address, which gives it the cookie."""
        given = connection.query_params
        # used up whoever comes with it: a browser that is let in anyway leaves it to nobody else
        used = not is_socket and self.guard.redeems(given.get("once"))
        if used or self.guard.admits(connection.cookies.get(self.guard.cookie)):
            return True
        return not is_socket and self.guard.admits(given.get("token"))

    async def _without_token(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Keep the token in a cookie, and take it out of the address, which people share."""
        # the address is anybody's: //elsewhere/ would lead there
        path = scope["path"] if scope["path"] in PATHS else PAGES[0].path
        answer = RedirectResponse(path, 303)
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


# ------------------------------------------------------------------ the application


def application(guard: Guard, files: list[Path]) -> ASGIApp:
    """The explorer as an ASGI application."""
    pool: Pool | None = None

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        nonlocal pool
        pool = Pool(files)
        pool.warm(plain=True)
        yield
        await pool.close()

    async def socket(websocket: WebSocket) -> None:
        page = BY_NAME.get(websocket.query_params.get("page", ""))
        if page is None or pool is None:
            await websocket.close(REFUSED)
            return
        await websocket.accept()
        await PageConnection(websocket, pool, page.begins).serve()

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
