"""One conversation with an agent through the client of the official SDK for Python.

    python client.py <base URL> <binding version>...    as "JSONRPC 1.0" "HTTP+JSON 0.3"

Prints what it sees, one `name: value` a line; tools/interop/expected.ts says what that must be.
"""

import asyncio
import sys
import uuid

import grpc.aio
import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.card_resolver import parse_agent_card
from a2a.types import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
)
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Value


def see(name: str, value: object) -> None:
    print(f"{name}: {value}", flush=True)


def state(task) -> str:
    return TaskState.Name(task.status.state).removeprefix("TASK_STATE_")


def text(message) -> str:
    return "".join(part.text for part in message.parts)


def event_name(event) -> str:
    if event.HasField("task"):
        return f"task {state(event.task)}"
    if event.HasField("status_update"):
        return f"status {state(event.status_update)}"
    if event.HasField("artifact_update"):
        return f"artifact {event.artifact_update.artifact.artifact_id}"
    return "message"


def event_names(events) -> str:
    return ", ".join(event_name(each) for each in events)


def request(parts: list[Part] | str, **more) -> SendMessageRequest:
    if isinstance(parts, str):
        parts = [Part(text=parts)]
    message = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=parts, **more)
    return SendMessageRequest(message=message)


async def last(events):
    found = None
    async for each in events:
        found = each
    return found


async def converse(base: str, binding: str, version: str) -> None:
    http = httpx.AsyncClient(timeout=30)
    card = await A2ACardResolver(http, base).get_agent_card()
    if version == "0.3":
        # As a client reads the card that knows no newer version.
        fields = (await http.get(f"{base}/.well-known/agent-card.json")).json()
        del fields["supportedInterfaces"]
        card = parse_agent_card(fields)
    offered = sorted({each.protocol_binding for each in card.supported_interfaces})
    see("card", f"{card.name}: {', '.join(offered)}")

    def client(streaming: bool):
        config = ClientConfig(
            streaming=streaming,
            httpx_client=http,
            grpc_channel_factory=grpc.aio.insecure_channel,
            supported_protocol_bindings=[binding],
        )
        return ClientFactory(config).create(card)

    plain, streaming = client(False), client(True)

    done = (await last(plain.send_message(request("steps=2")))).task
    see("send", f"{state(done)}, {text(done.status.message)}")
    see("artifacts", ", ".join(f"{a.artifact_id} {text(a)}" for a in done.artifacts))
    see("get", state(await plain.get_task(GetTaskRequest(id=done.id))))
    see("message", text((await last(plain.send_message(request("ping")))).message))

    seen = await collect(streaming.send_message(request("steps=2 events=1")))
    see("stream", event_names(seen))

    parts = [
        Part(text="echo"),
        Part(data=ParseDict({"a": [1, {"b": None}]}, Value())),
        Part(raw=b"\x00\xff", media_type="application/octet-stream", filename="two.bin"),
    ]
    echo = (await last(plain.send_message(request(parts)))).task
    back = list(echo.artifacts[0].parts)
    see("echo", "the same" if [MessageToDict(p) for p in back] == [MessageToDict(p) for p in parts] else back)

    asked = (await last(plain.send_message(request("ask")))).task
    see("ask", f"{state(asked)}, {text(asked.status.message)}")
    subscription = streaming.subscribe(SubscribeToTaskRequest(id=asked.id))
    first = await anext(subscription)
    answer = request("blue", task_id=asked.id, context_id=asked.context_id)
    answered = (await last(plain.send_message(answer))).task
    see("answer", f"{state(answered)}, {text(answered.status.message)}")
    see("subscription", event_names([first, *await collect(subscription)]))

    at_once = request("wait=60000")
    at_once.configuration.CopyFrom(SendMessageConfiguration(return_immediately=True))
    working = (await last(plain.send_message(at_once))).task
    see("at once", "open" if state(working) in ("SUBMITTED", "WORKING") else state(working))
    see("cancel", state(await plain.cancel_task(CancelTaskRequest(id=working.id))))

    if version == "1.0":
        listed = await plain.list_tasks(ListTasksRequest(context_id=asked.context_id))
        see("list", ", ".join(state(each) for each in listed.tasks))

    waits = (await last(plain.send_message(request("ask")))).task
    config = TaskPushNotificationConfig(task_id=waits.id, id="hook", url="http://127.0.0.1:9/", token="t")
    hook = {"task_id": waits.id, "id": "hook"}
    which = ListTaskPushNotificationConfigsRequest(task_id=waits.id)
    made = await plain.create_task_push_notification_config(config)
    see("push", f"{made.id} {made.url}")
    got = await plain.get_task_push_notification_config(GetTaskPushNotificationConfigRequest(**hook))
    see("push again", got.id)
    await outcome("pushes", plain.list_task_push_notification_configs(which), lambda page: len(page.configs))
    await outcome(
        "push deleted",
        plain.delete_task_push_notification_config(DeleteTaskPushNotificationConfigRequest(**hook)),
        str,
    )

    await outcome("unknown task", plain.get_task(GetTaskRequest(id="no-such-task")), state)
    await outcome("cancel again", plain.cancel_task(CancelTaskRequest(id=working.id)), state)
    await outcome("cancel of a finished task", plain.cancel_task(CancelTaskRequest(id=done.id)), state)
    too_late = request("more", task_id=done.id, context_id=done.context_id)
    await outcome("message to a finished task", last(plain.send_message(too_late)), event_name)
    late = streaming.subscribe(SubscribeToTaskRequest(id=done.id))
    await outcome("subscription to a finished task", collect(late), event_names)
    await http.aclose()


async def collect(events) -> list:
    return [each async for each in events]


async def outcome(name: str, call, show) -> None:
    """What comes back, or the class of what is raised: a client may not have a call in each binding."""
    try:
        see(name, show(await call))
    except Exception as error:
        see(name, type(error).__name__)


async def main(base: str, *ways: str) -> None:
    for way in ways:
        print(f"== {way}", flush=True)
        await converse(base, *way.split(" "))


asyncio.run(main(*sys.argv[1:]))
