#!/usr/bin/env python3
"""Measures the page on loopback with a slowed-down processor, and prints a table.

    speed.py --holdfast .build/release/holdfast [--runs 20] [--scrolls 3] [--throttle 6] [--messages 10000] [--check]
    speed.py --holdfast .build/release/holdfast --trace      prints the longest tasks of the page while it scrolls

It is not a part of the tests. With --check, the exit code is 1 if a limit is exceeded.
"""

import argparse
import os
import pathlib
import statistics
import sys
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from harness import PROBE, Screen, Suite  # noqa: E402
from processes import PageProcess  # noqa: E402
from tracing import Trace, memory  # noqa: E402

LIMITS = {"interactive": 300, "frame": 50, "own message": 50}


class Bench:
    """Opens pages of one user with a slowed-down processor."""

    def __init__(self, options):
        self.options = options
        # The history pages are large, so that ten thousand messages load in a hundred steps.
        self.server = Suite.new_server(patch={"channelConfig": {"historyLoadingCount": 100}})
        self.operator = self.server.operator
        self.user = f"speed-{uuid.uuid4().hex[:8]}"
        self.process = PageProcess(Suite.binary, Suite.folder(), self.server, self.user)
        self.context = Suite.browser().new_context(viewport={"width": 900, "height": 720}, locale="en-US")
        self.context.add_init_script(PROBE)
        first = self.page(self.process.url, throttle=False)
        first.ready()
        self.first = first

    def page(self, url=None, throttle=True):
        """Opens the page in a new tab."""
        page = self.context.new_page()
        screen = Screen(None, page, self.process)
        if throttle:
            screen.throttle(self.options.throttle)
        page.goto(url or self.process.origin + self.process.path)
        return screen

    def interactive(self):
        """Milliseconds from the first byte of the page to the mark of the composer, for each run."""
        times = []
        for _ in range(self.options.runs):
            screen = self.page()
            screen.until("() => performance.getEntriesByName('chat-interactive').length > 0", timeout=30_000)
            times.append(screen.run("""() => performance.getEntriesByName('chat-interactive')[0].startTime
                - performance.getEntriesByType('navigation')[0].responseStart"""))
            screen.page.close()
        return times

    def own_message(self):
        """Milliseconds from the time of an own message in the process, and from the key, to the message on the screen.

        The process notes the time when it creates the message, before it commits it. The end is the first frame of the
        screen after the page got the row from the process, so that the commit and the way to the page are included. The
        page shows the message at once as waiting; the second list ends with that row. Both processes use the clock of
        this machine, in milliseconds.
        """
        page = self.context.new_page()
        page.add_init_script("""(() => { addEventListener('keydown', (event) => {
                if (event.key === 'Enter') window.__pressed = performance.now() }, true);
            const Real = WebSocket, own = window.__own = {};
            const clock = () => performance.timeOrigin + performance.now();
            window.WebSocket = class extends Real { constructor(...words) { super(...words);
                this.addEventListener('message', (event) => {
                    const frame = event.data.length < 100_000 ? JSON.parse(event.data) : {};
                    for (const { row } of frame.put ?? []) {
                        if (row.author.kind !== 'me' || own[row.id]) continue;
                        const times = own[row.id] = { created: row.time };
                        // The page draws the row after this listener, and the task after the next frame sees it painted.
                        requestAnimationFrame(() => setTimeout(() => { times.painted = clock() }));
                    } }) } } })()""")
        screen = Screen(None, page, self.process)
        screen.throttle(self.options.throttle)
        page.goto(self.process.origin + self.process.path)
        screen.ready(60_000)
        created, pressed = [], []
        for number in range(self.options.runs):
            text = f"speed {number} {uuid.uuid4().hex[:6]}"
            screen.write(text)
            message = screen.wait_text(text, "me", timeout=30_000)
            screen.wait_state(message, "sent", "delivered", "read", timeout=30_000)
            screen.until("(id) => window.__own[id]?.painted", message, "the row of the process", timeout=30_000)
            after = screen.run("""(id) => { const row = document.querySelector(`#rows li.row[data-id="${id}"]`);
                return [window.__own[id].painted - window.__own[id].created,
                    Number(row.dataset.shown) - window.__pressed] }""", message)
            created.append(after[0])
            pressed.append(after[1])
        page.close()
        return created, pressed

    def loaded(self):
        """Opens a page with the whole conversation. Returns it and the number of its rows."""
        count = self.options.messages
        for start in range(0, count, 1000):
            self.operator.say_many(self.user, [
                f"message {number}: some words in one or two lines of the transcript"
                for number in range(start, min(count, start + 1000))])
        screen = self.page(throttle=False)
        screen.ready(60_000)
        rows = 0
        while rows < count:
            # Older rows are drawn while the view is near the oldest one.
            screen.run("() => { const scroller = document.querySelector('#scroll');"
                       " scroller.scrollTop = -scroller.scrollHeight }")
            try:
                rows = screen.until("""(before) => {
                    const rows = document.querySelectorAll('#rows li.row').length;
                    if (rows <= before) document.querySelector('#load-older').click();
                    return rows > before && rows }""", rows, timeout=30_000)
            except AssertionError:
                break
        return screen, rows

    def scrolling(self, screen):
        """The milliseconds of each frame while the whole conversation is scrolled, for each run."""
        screen.throttle(self.options.throttle)
        frames = []
        for _ in range(self.options.scrolls):
            frames.append(screen.run("""async () => {
                const scroller = document.querySelector('#scroll');
                const tick = () => new Promise(requestAnimationFrame);
                // The element scrolls from its end: the end is 0, and the places before it are negative.
                scroller.scrollTop = 0;
                for (let frames = 0; frames < 60; frames++) await tick();
                const frames = [];
                let before = await tick(), place = 1;
                while (scroller.scrollTop !== place) {
                    place = scroller.scrollTop;
                    scroller.scrollTop -= scroller.clientHeight * 0.9;
                    const now = await tick();
                    frames.push(now - before);
                    before = now;
                }
                return frames }"""))
        return frames

    def trace(self):
        """Prints the longest tasks while the whole conversation is scrolled, and the page's memory."""
        screen, rows = self.loaded()
        trace = Trace(Suite.browser(), screen.page)
        self.scrolling(screen)
        print(f"the longest tasks, slowed down {self.options.throttle:g} times and by the recording:")
        for took, parts in trace.longest():
            print(f"{took:8.1f} ms: " + ", ".join(f"{name} {part:.1f}" for name, part in parts))
        print(f"{rows} rows: {memory(screen.page)}")
        screen.page.close()


def line(name, times, limit, worst=False):
    """Formats one line of the table. The limit is for the median, or for the worst value."""
    median = statistics.median(times)
    verdict = "" if limit is None else ("ok" if (max(times) if worst else median) <= limit else "over the limit")
    return f"{name:<58} {median:7.1f} {min(times):7.1f} {max(times):7.1f} {limit or '':>6}  {verdict}", verdict != "over the limit"


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="Measures the chat page with a slowed-down processor.")
    parser.add_argument("--holdfast", default=".build/debug/holdfast")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--scrolls", type=int, default=3, help="how often the conversation is scrolled (default: 3)")
    parser.add_argument("--throttle", type=float, default=6)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--trace", action="store_true", help="print the longest tasks instead of the table")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a limit is exceeded")
    options = parser.parse_args()
    Suite.binary, Suite.chromium = pathlib.Path(options.holdfast).resolve(), options.chromium
    bench = Bench(options)
    if options.trace:
        bench.trace()
        Suite.close()
        return 0
    print(f"median of {options.runs}, loopback, processor slowed down {options.throttle:g} times, "
          f"{os.cpu_count()} cores, {Suite.browser().version}")
    print(f"{'':<58} {'median':>7} {'least':>7} {'most':>7} {'limit':>6}")
    lines = [line("first byte to interactive (ms)", bench.interactive(), LIMITS["interactive"])]
    print(lines[-1][0], flush=True)
    created, pressed = bench.own_message()
    lines.append(line("own message in the process, committed, on the screen (ms)", created, LIMITS["own message"]))
    print(lines[-1][0], flush=True)
    lines.append(line("key to own message on the screen, as waiting (ms)", pressed, None))
    print(lines[-1][0], flush=True)
    screen, rows = bench.loaded()
    frames = bench.scrolling(screen)
    screen.page.close()
    every = sorted(time for run in frames for time in run)
    # The first run lays out rows that were never visible.
    lines.append(line(f"frame while scrolling {rows} rows (ms)", every, None))
    print(lines[-1][0], flush=True)
    ranked = [sorted(run)[int(len(run) * 0.99)] for run in frames]
    lines.append(line(f"99th percentile of {len(every) // len(frames)} frames, each run (ms)", ranked, None))
    print(lines[-1][0], flush=True)
    lines.append(line("worst frame, each run (ms)", [max(run) for run in frames], LIMITS["frame"], worst=True))
    print(lines[-1][0], flush=True)
    lines.append(line(f"first byte to interactive, {options.messages} messages (ms)", bench.interactive(), None))
    print(lines[-1][0], flush=True)
    Suite.close()
    return 0 if all(good for _, good in lines) or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
