"""The model behind the sites of these tests: an OpenAI-format server, asked anew for each message."""

import json
import os
from collections.abc import AsyncIterator

import httpx

LIMITS = httpx.Timeout(30.0, read=None)


async def ask(prompt: str, user: str) -> AsyncIterator[tuple[str, str]]:
    """Yields the pieces of an answer as `reasoning_content` or `content` with a text, just as they came."""
    body = {"model": "svc-max", "stream": True, "messages": [{"role": "user", "content": prompt}]}
    url = os.environ["MODEL_URL"] + "/chat/completions"
    headers = {"authorization": f"Bearer key-of-{user}"}
    async with httpx.AsyncClient(timeout=LIMITS, trust_env=False) as client:
        async with client.stream("POST", url, json=body, headers=headers) as response:
            response.raise_for_status()
            async for event in events(response):
                choices = json.loads(event).get("choices") or [{}]
                for kind, text in choices[0].get("delta", {}).items():
                    if kind != "role" and text:
                        yield kind, text


async def events(response: httpx.Response) -> AsyncIterator[str]:
    """The data of each event; by bytes, since a line of text may also end at U+2028, which answers hold."""
    unread = b""
    async for piece in response.aiter_bytes():
        *frames, unread = (unread + piece).split(b"\n\n")
        for frame in frames:
            data = frame.removeprefix(b"data: ").decode()
            if data != "[DONE]":
                yield data
