"""A load client with Python's websockets. WebSocketBench runs it in a separate process for comparison with Holdfast.

Argument: the root certificate, a PEM file. Each line of input is a command with these words: URL, 1 for compression or
0, connections, window (messages in flight on each connection), seconds, text. The text is last and can contain spaces.
Connections are kept for later commands; seconds of 0 close them. The answer has these words: messages, seconds,
processor time (µs) and, for a window of 1, the median and the 99th percentile of the round trips (µs).
"""
import asyncio
import resource
import ssl
import sys
import time
from collections import namedtuple

from websockets.asyncio.client import connect

Order = namedtuple("Order", "url deflates connections window seconds text")


def parse(line):
    url, deflates, connections, window, seconds, text = line.rstrip("\n").split(" ", 5)
    return Order(url, deflates == "1", int(connections), int(window), float(seconds), text)


async def run(connection, order, end, times):
    text, in_flight, count = order.text, order.window, 0
    sent = time.perf_counter()
    for _ in range(in_flight):
        await connection.send(text)
    while in_flight > 0:
        answer = await connection.recv()
        if len(answer) != len(text):
            raise RuntimeError("the echo differs from the message")
        now = time.perf_counter()
        count += 1
        if order.window == 1:
            times.append(now - sent)
        if now < end:
            sent = now
            await connection.send(text)
        else:
            in_flight -= 1
    return count


async def open_more(connections, order, context):
    gate = asyncio.Semaphore(64)

    async def one():
        async with gate:
            return await connect(
                order.url, ssl=context if order.url.startswith("wss") else None,
                compression="deflate" if order.deflates else None, ping_interval=None, max_size=16 << 20,
                open_timeout=60)

    missing = order.connections - len(connections)
    connections += await asyncio.gather(*[one() for _ in range(missing)])


async def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    context = ssl.create_default_context(cafile=sys.argv[1])
    pools = {}
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        order = parse(line)
        key = (order.url, order.deflates)
        if order.seconds == 0:
            await asyncio.gather(*[connection.close() for connection in pools.pop(key, [])])
            print("0 0 0", flush=True)
            continue
        connections = pools.setdefault(key, [])
        await open_more(connections, order, context)
        times = []
        cpu, start = time.process_time(), time.perf_counter()
        counts = await asyncio.gather(
            *[run(connection, order, start + order.seconds, times) for connection in connections])
        seconds = time.perf_counter() - start
        answer = [sum(counts), seconds, (time.process_time() - cpu) * 1e6]
        if times:
            times.sort()
            answer += [times[len(times) // 2] * 1e6, times[min(len(times) - 1, int(len(times) * 0.99))] * 1e6]
        print(*answer, flush=True)


asyncio.run(main())
