"""The page as an ASGI application: routes over a library of conversations, read-only."""

from collections.abc import Callable, Mapping
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from sessionizer.base.errors import SessionizerError
from sessionizer.views.errors import NotFoundError, UnknownConversationError
from sessionizer.views.library import Library
from sessionizer.views.page.answers import (
    error_answer,
    html_answer,
    missing_page,
)
from sessionizer.views.page.api import Api
from sessionizer.views.page.assets import Asset, read_assets
from sessionizer.views.page.events import iter_rounds
from sessionizer.views.page.guard import Door, Guard

LIST_PAGE: Final = "index.html"
CONVERSATION_PAGE: Final = "conversation.html"


def build_application(
    library: Library,
    door: Door,
    *,
    stopping: Callable[[], bool] = lambda: False,
    assets: Mapping[str, Asset] | None = None,
) -> ASGIApp:
    """The guarded page. `stopping` ends answers that would go on for ever."""
    api = Api(library)
    pages = Pages(library, read_assets() if assets is None else assets)

    async def events(request: Request) -> Response:
        conversation = request.path_params["id"]
        try:
            library.head(conversation)
        except UnknownConversationError:
            raise
        except (SessionizerError, OSError):
            pass  # a broken chain may be mended while the reader waits
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        rounds = iter_rounds(library, conversation, stopping=stopping)
        return StreamingResponse(rounds, media_type="text/event-stream")

    application = Starlette(
        routes=[
            Route("/", pages.show_list),
            Route("/c/{id}", pages.show_conversation),
            Route("/static/{path:path}", pages.show_asset),
            Route("/api/about", api.show_about),
            Route("/api/conversations", api.list_conversations),
            Route("/api/glossary", api.show_glossary),
            Route("/api/c/{id}", api.show_overview),
            Route("/api/c/{id}/head", api.show_head),
            Route("/api/c/{id}/flow", api.show_flow),
            Route("/api/c/{id}/outside", api.show_outside),
            Route("/api/c/{id}/events", events),
            Route("/api/c/{id}/record/{seq}/{row}", api.show_record),
            Route("/api/c/{id}/talk/{talk:path}", api.show_talk),
        ],
        exception_handlers={
            NotFoundError: _answer_missing,
            SessionizerError: _answer_error,
            OSError: _answer_error,
            HTTPException: _answer_http,
            Exception: _answer_defect,
        },
    )
    application.router.redirect_slashes = False
    return Guard(application, door)


class Pages:
    """HTML and static files, from memory."""

    def __init__(self, library: Library, assets: Mapping[str, Asset]) -> None:
        self._library = library
        self._assets = assets

    def show_list(self, _request: Request) -> Response:
        """`/`."""
        return self._page(LIST_PAGE)

    def show_conversation(self, request: Request) -> Response:
        """`/c/{id}`: the page, also of a conversation whose chain is broken."""
        conversation = request.path_params["id"]
        if conversation not in self._library.ids():
            message = f"There is no conversation {conversation}."
            return html_answer(missing_page("Not found", message), status=404)
        return self._page(CONVERSATION_PAGE)

    def show_asset(self, request: Request) -> Response:
        """`/static/...`: one of the files known at start."""
        asset = self._assets.get(request.path_params["path"])
        if asset is None:
            return error_answer(404, "no such file")
        return Response(asset.body, media_type=asset.media_type)

    def _page(self, name: str) -> Response:
        asset = self._assets.get(name)
        if asset is None:
            return html_answer(missing_page("asz", f"{name} is not installed."), status=404)
        return html_answer(asset.body)


def _answer_missing(_request: Request, error: Exception) -> Response:
    return error_answer(404, str(error))


def _answer_error(_request: Request, error: Exception) -> Response:
    return error_answer(500, str(error))


def _answer_http(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return error_answer(error.status_code, error.detail.lower())


def _answer_defect(_request: Request, error: Exception) -> Response:
    return error_answer(500, f"this is a defect of asz: {type(error).__name__}: {error}")
