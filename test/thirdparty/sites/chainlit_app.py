"""A Chainlit app as its documentation shows them: logs in by password, shows reasoning as a step, streams the answer."""

import chainlit as cl
from chainlit.server import sio

from model import ask

# Messages travel in frames of the socket, which are at most 1 MB large by default.
sio.eio.max_http_buffer_size = 16 * 2**20


@cl.password_auth_callback
def log_in(name: str, password: str) -> cl.User | None:
    is_known = name in ("alice", "bob", "carol") and password == f"{name}'s \"secret\" pass/word"
    return cl.User(identifier=name) if is_known else None


@cl.on_message
async def on_message(message: cl.Message) -> None:
    user = cl.user_session.get("user").identifier
    step = cl.Step(name="Thinking", type="llm")
    answer = cl.Message(content="")
    async for kind, text in ask(message.content, user):
        if kind == "content":
            await answer.stream_token(text)
        else:
            if not step.start:
                await step.__aenter__()
            await step.stream_token(text)
    if step.start:
        await step.__aexit__(None, None, None)
    await answer.send()
