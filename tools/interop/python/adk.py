"""A conversation with an agent through RemoteA2aAgent of Google's Agent Development Kit.

    python adk.py <base URL>

Prints what it sees, one `name: value` a line; tools/interop/expected.ts says what that must be.
"""

import asyncio
import sys
import warnings

warnings.simplefilter("ignore")

from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.runners import InMemoryRunner
from google.genai import types


def words(event) -> list[str]:
    parts = (event.content.parts if event.content else None) or []
    asked = [part.function_call.args["input_required"] for part in parts if part.function_call]
    return [part.text for part in parts if part.text] + [f"asks: {each}" for each in asked]


async def main(base: str) -> None:
    agent = RemoteA2aAgent(name="holdfast", agent_card=f"{base}/.well-known/agent-card.json")
    runner = InMemoryRunner(agent=agent, app_name="interop")
    print("== ADK", flush=True)
    for name, messages in {
        "send": ["steps=2"],
        "message": ["ping"],
        "stream": ["chunks=3 events=1"],
        "ask": ["ask", "blue"],
        "fail": ["fail"],
    }.items():
        session = await runner.session_service.create_session(app_name="interop", user_id="u")
        seen = []
        for text in messages:
            sent = types.Content(role="user", parts=[types.Part(text=text)])
            async for event in runner.run_async(user_id="u", session_id=session.id, new_message=sent):
                seen += words(event) + ([event.error_message] if event.error_message else [])
        print(f"{name}: {', '.join(seen)}", flush=True)


asyncio.run(main(sys.argv[1]))
