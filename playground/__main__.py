"""`python -m playground`: the server alone, until it is interrupted."""

import argparse
import asyncio
import signal
import sys

from playground.server import Playground, unused_numbers


async def _serve(port: int, *, limits: bool, privacy: bool, scene: bool) -> None:
    playground = Playground(scene=scene, numbers_from=unused_numbers())
    playground.api.limits.on = limits
    playground.api.privacy = privacy
    url = await playground.start(port)
    print(f"playground: {url}/  (Bot API: {url}/bot<token>/<method>)", flush=True)  # noqa: T201
    stopped = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    await stopped.wait()
    await playground.stop()


def main() -> int:
    """Parse the arguments and serve."""
    parser = argparse.ArgumentParser(prog="playground", description=__doc__)
    parser.add_argument("--port", type=int, default=8081, help="0: any free one (default: %(default)s)")
    parser.add_argument("--no-limits", action="store_true", help="do not enforce Telegram's sending limits")
    parser.add_argument("--privacy", action="store_true", help="the bot's privacy mode is on")
    parser.add_argument("--empty", action="store_true", help="begin with an empty world")
    given = parser.parse_args()
    asyncio.run(_serve(given.port, limits=not given.no_limits, privacy=given.privacy, scene=not given.empty))
    return 0


if __name__ == "__main__":
    sys.exit(main())
