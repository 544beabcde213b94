"""A Gradio ChatInterface as its documentation shows it: logs in by password, streams the answer so far."""

import os
from collections.abc import AsyncIterator

import gradio as gr

from model import ask

USERS = [(name, f"{name}'s \"secret\" pass/word") for name in ("alice", "bob", "carol")]


async def answer(message: str, history: list, request: gr.Request) -> AsyncIterator[str]:
    text = ""
    async for kind, piece in ask(message, request.username):
        if kind == "content":
            text += piece
            yield text


# Painting megabytes of Markdown takes a page minutes.
chat = gr.ChatInterface(answer, chatbot=gr.Chatbot(render_markdown=False))
chat.queue(default_concurrency_limit=16)
chat.launch(
    server_name="127.0.0.1",
    server_port=int(os.environ["PORT"]),
    auth=USERS,
    show_error=True,
)
