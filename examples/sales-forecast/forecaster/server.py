"""An A2A agent on the official SDK for Python. It knows nothing of Holdfast.

    python server.py [--port 9100] [--url http://127.0.0.1:9100] [--seconds 20]

It gets {"sales": [...], "months": n} as data, and answers with an artifact of data: for each month
to come what a straight line through the past expects, and a span about it.
"""

import argparse
import asyncio
import socket
from statistics import linear_regression, stdev

import uvicorn
from a2a.helpers import new_task_from_user_message, new_text_message
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Value
from starlette.applications import Starlette


def forecast(sales: list[float], months: int) -> list[dict[str, float]]:
    past = range(len(sales))
    slope, intercept = linear_regression(past, sales)
    spread = 2 * stdev(y - (intercept + slope * x) for x, y in zip(past, sales))
    expected = [intercept + slope * (len(sales) + month) for month in range(months)]
    return [
        {"expected": round(y, 1), "low": round(y - spread, 1), "high": round(y + spread, 1)}
        for y in expected
    ]


class Forecaster(AgentExecutor):
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        try:
            asked = MessageToDict(next(part.data for part in context.message.parts if part.HasField("data")))
            sales, months = [float(each) for each in asked["sales"]], int(asked["months"])
            if len(sales) < 3 or not 1 <= months <= 24:
                raise ValueError
        except (StopIteration, KeyError, TypeError, ValueError):
            await updater.reject(new_text_message("Send sales of 3 months or more, and 1 to 24 months to come."))
            return
        # Stands in for a model that is fitted for a while.
        await asyncio.sleep(self.seconds)
        data = ParseDict({"forecast": forecast(sales, months)}, Value())
        await updater.add_artifact([Part(data=data)], artifact_id="forecast", name="forecast")
        await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def card(url: str) -> AgentCard:
    return AgentCard(
        name="forecaster",
        description="Forecasts a row of monthly figures.",
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")
        ],
        capabilities=AgentCapabilities(),
        default_input_modes=["application/json"],
        default_output_modes=["application/json"],
        skills=[AgentSkill(id="forecast", name="Forecast", description="A line through the past.", tags=["sales"])],
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=9100)
    parser.add_argument("--url", help="where others reach it, if that is not this port")
    parser.add_argument("--seconds", type=float, default=20, help="how long one forecast takes")
    options = parser.parse_args()
    listening = socket.create_server(("127.0.0.1", options.port))
    here = f"http://127.0.0.1:{listening.getsockname()[1]}"
    agent_card = card(options.url or here)
    handler = DefaultRequestHandler(Forecaster(options.seconds), InMemoryTaskStore(), agent_card)
    routes = create_agent_card_routes(agent_card) + create_jsonrpc_routes(handler, "/")
    print(f"forecaster ready {here}", flush=True)
    config = uvicorn.Config(Starlette(routes=routes), log_level="warning")
    uvicorn.Server(config).run(sockets=[listening])
