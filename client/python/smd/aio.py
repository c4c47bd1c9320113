"""The client for asyncio: each call runs in a thread of the event loop's pool.

    >>> from smd.aio import AsyncClient
    >>> async def both(a, b):
    ...     client = AsyncClient()
    ...     return await asyncio.gather(client.compile(a, opt=2), client.compile(b, opt=2))
"""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Mapping, Optional, Sequence, Union

from ._client import Answer, Client, Job, Module
from ._http import Failure
from ._stackmap import Stackmap


class AsyncJob:
    """A Job whose methods are awaited."""

    def __init__(self, job: Job) -> None:
        self.job = job

    async def done(self) -> bool:
        return await asyncio.to_thread(self.job.done)

    async def result(self, timeout: Optional[float] = None) -> Answer:
        return await asyncio.to_thread(self.job.result, timeout)

    async def cancel(self) -> None:
        await asyncio.to_thread(self.job.cancel)


class AsyncClient:
    """A Client whose methods are awaited; arguments as Client's. A call that is cancelled goes on at the server."""

    def __init__(self, url: Optional[str] = None, token: Optional[str] = None, timeout: float = 120, retries: int = 2) -> None:
        self.client = Client(url, token, timeout, retries)

    async def compile(self, module: Module, **options: Any) -> Answer:
        return await asyncio.to_thread(self.client.compile, module, **options)

    async def batch(self, modules: Sequence[Union[Module, tuple[Module, Mapping[str, Any]]]],
                    **options: Any) -> list[Union[Answer, Failure]]:
        return await asyncio.to_thread(self.client.batch, modules, **options)

    async def submit(self, module: Module, **options: Any) -> AsyncJob:
        return AsyncJob(await asyncio.to_thread(self.client.submit, module, **options))

    async def tiers(self, module: Module, levels: Sequence[int] = (0, 2), **options: Any) -> AsyncIterator[Answer]:
        answers = self.client.tiers(module, levels, **options)
        while (answer := await asyncio.to_thread(lambda: next(answers, None))) is not None:
            yield answer

    async def stackmap(self, object_file: bytes) -> Stackmap:
        return await asyncio.to_thread(self.client.stackmap, object_file)

    async def capabilities(self) -> dict[str, Any]:
        return await asyncio.to_thread(self.client.capabilities)
