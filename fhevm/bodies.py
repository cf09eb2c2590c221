"""A request's body as bytes, for paths that read their JSON themselves."""

from typing import Annotated

from fastapi import Depends, Request


async def _body(request: Request) -> bytes:
    return await request.body()


Body = Annotated[bytes, Depends(_body)]
