"""The same conversation through the last client of A2A 0.3 (a2a-sdk 0.3.x).

    python client_0_3.py <base URL> <folder of the A2A Inspector or ''> <binding>...

With the folder of a clone of the A2A Inspector, its validators judge the card and each event, as
they do behind its page.
"""

import asyncio
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import (
    DataPart,
    FilePart,
    FileWithBytes,
    GetTaskPushNotificationConfigParams,
    Message,
    Part,
    PushNotificationConfig,
    Role,
    Task,
    TaskArtifactUpdateEvent,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
    TextPart,
)

judged: list[str] = []
validators = None


def see(name: str, value: object) -> None:
    print(f"{name}: {value}", flush=True)


def state(task) -> str:
    return task.status.state.value.upper().replace("-", "_")


def text(said) -> str:
    return "".join(part.root.text for part in said.parts)


def event_name(event) -> str:
    if isinstance(event, Message):
        return "message"
    task, update = event
    if update is None:
        return f"task {state(task)}"
    if isinstance(update, TaskArtifactUpdateEvent):
        return f"artifact {update.artifact.artifact_id}"
    return f"status {state(update)}"


def message(parts, **more) -> Message:
    if isinstance(parts, str):
        parts = [Part(root=TextPart(text=parts))]
    return Message(message_id=str(uuid.uuid4()), role=Role.user, parts=parts, **more)


async def names_of(events) -> str:
    """At once: the client goes on to change the task that it has handed over."""
    return ", ".join([event_name(each) async for each in judging(events)])


async def judging(events):
    async for event in events:
        if validators is not None:
            shown = event if isinstance(event, Message) else event[1] or event[0]
            judged.extend(validators.validate_message(shown.model_dump(exclude_none=True)))
        yield event


async def last(events):
    found = None
    async for found in judging(events):
        pass
    return found


async def task_of(events) -> Task:
    return (await last(events))[0]


async def outcome(name: str, call, show) -> None:
    try:
        see(name, show(await call))
    except Exception as error:
        code = getattr(getattr(error, "error", None), "code", None) or getattr(error, "status_code", "")
        see(name, f"{type(error).__name__} {code}".strip())


async def converse(base: str, binding: str) -> None:
    http = httpx.AsyncClient(timeout=30)
    card = await A2ACardResolver(http, base).get_agent_card()
    if validators is not None:
        judged.extend(validators.validate_agent_card(card.model_dump(exclude_none=True)))
    offered = {card.preferred_transport, *(each.transport for each in card.additional_interfaces)}
    see("card", f"{card.name}: {', '.join(sorted(offered))}")

    def client(streaming: bool):
        config = ClientConfig(
            streaming=streaming,
            httpx_client=http,
            supported_transports=[binding],
            use_client_preference=True,
        )
        return ClientFactory(config).create(card)

    plain, streaming = client(False), client(True)
    done = await task_of(plain.send_message(message("steps=2")))
    see("send", f"{state(done)}, {text(done.status.message)}")
    see("artifacts", ", ".join(f"{a.artifact_id} {text(a)}" for a in done.artifacts))
    see("get", state(await plain.get_task(TaskQueryParams(id=done.id))))
    see("message", text(await last(plain.send_message(message("ping")))))
    see("stream", await names_of(streaming.send_message(message("steps=2 events=1"))))

    parts = [
        Part(root=TextPart(text="echo")),
        Part(root=DataPart(data={"a": [1, {"b": None}]})),
        Part(root=FilePart(file=FileWithBytes(bytes="AP8=", mime_type="application/octet-stream", name="two.bin"))),
    ]
    echo = await task_of(plain.send_message(message(parts)))
    same = [part.root.model_dump() for part in echo.artifacts[0].parts] == [part.root.model_dump() for part in parts]
    see("echo", "the same" if same else echo.artifacts[0].parts)

    asked = await task_of(plain.send_message(message("ask")))
    see("ask", f"{state(asked)}, {text(asked.status.message)}")
    subscription = streaming.resubscribe(TaskIdParams(id=asked.id))
    first = event_name(await anext(subscription))
    answer = message("blue", task_id=asked.id, context_id=asked.context_id)
    answered = await task_of(plain.send_message(answer))
    see("answer", f"{state(answered)}, {text(answered.status.message)}")
    see("subscription", f"{first}, {await names_of(subscription)}")

    waits = await task_of(plain.send_message(message("ask")))
    hook = PushNotificationConfig(id="hook", url="http://127.0.0.1:9/", token="t")
    made = await plain.set_task_callback(
        TaskPushNotificationConfig(task_id=waits.id, push_notification_config=hook)
    )
    see("push", f"{made.push_notification_config.id} {made.push_notification_config.url}")
    got = await plain.get_task_callback(
        GetTaskPushNotificationConfigParams(id=waits.id, push_notification_config_id="hook")
    )
    see("push again", got.push_notification_config.id)
    see("cancel", state(await plain.cancel_task(TaskIdParams(id=waits.id))))

    await outcome("unknown task", plain.get_task(TaskQueryParams(id="no-such-task")), state)
    await outcome("cancel again", plain.cancel_task(TaskIdParams(id=waits.id)), state)
    await outcome("cancel of a finished task", plain.cancel_task(TaskIdParams(id=done.id)), state)
    too_late = message("more", task_id=done.id, context_id=done.context_id)
    await outcome("message to a finished task", names_of(plain.send_message(too_late)), str)
    late = streaming.resubscribe(TaskIdParams(id=done.id))
    await outcome("subscription to a finished task", names_of(late), str)
    if validators is not None:
        see("inspector", "valid" if judged == [] else sorted(set(judged)))
    await http.aclose()


async def main(base: str, inspector: str, *bindings: str) -> None:
    global validators
    if inspector != "":
        sys.path.insert(0, f"{inspector}/backend")
        import validators as found

        validators = found
    for binding in bindings:
        print(f"== {binding} 0.3", flush=True)
        await converse(base, binding)


asyncio.run(main(*sys.argv[1:]))
