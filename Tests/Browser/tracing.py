"""Records what the browser does, and names the longest tasks of a page's main thread."""

import collections
import time

CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "v8", "disabled-by-default-v8.gc",
              "blink", "blink_gc", "toplevel"]


class Trace:
    """A recording of the browser. It makes the page slower: the figures of a run with it are no measurement."""

    def __init__(self, browser, page):
        self._page = page
        self._events, self._ended = [], []
        self._session = browser.new_browser_cdp_session()
        self._session.on("Tracing.dataCollected", lambda event: self._events.extend(event["value"]))
        self._session.on("Tracing.tracingComplete", lambda event: self._ended.append(True))
        self._session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": {
            "recordMode": "recordUntilFull", "traceBufferSizeInKb": 400_000,
            "includedCategories": CATEGORIES, "excludedCategories": ["*"]}})

    def longest(self, count=10):
        """Ends the recording, and returns the longest tasks: the milliseconds, and those of the largest parts."""
        self._session.send("Tracing.end")
        while not self._ended:
            self._page.wait_for_timeout(50)
        tasks = self._tasks(self._main_thread())
        tasks.sort(key=lambda task: -task[0])
        return [(whole / 1000, [(name, part / 1000) for name, part in parts.most_common(5)])
                for whole, parts in tasks[:count]]

    def _main_thread(self):
        """Returns the events of the busiest main thread, in order."""
        threads = {(event["pid"], event["tid"]) for event in self._events
                   if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"}
        whole = [event for event in self._events if event.get("ph") == "X" and event.get("dur")]
        times = collections.Counter()
        for event in whole:
            times[event["pid"], event["tid"]] += event["dur"]
        busiest = max(threads, key=lambda thread: times[thread])
        return sorted((event for event in whole if (event["pid"], event["tid"]) == busiest),
                      key=lambda event: (event["ts"], -event["dur"]))

    @staticmethod
    def _tasks(events):
        """Returns the outermost events: the duration, and the time of each name without its inner events."""
        tasks, open_events = [], []
        for event in events:
            while open_events and open_events[-1][0] <= event["ts"]:
                open_events.pop()
            if not open_events:
                tasks.append((event["dur"], collections.Counter()))
            parts = tasks[-1][1]
            parts[event["name"]] += event["dur"]
            if open_events:
                parts[open_events[-1][1]] -= event["dur"]
            open_events.append((event["ts"] + event["dur"], event["name"]))
        return tasks


def memory(page):
    """Returns the page's memory after complete garbage collections, and their duration, as a sentence."""
    session = page.context.new_cdp_session(page)
    began = time.perf_counter()
    session.send("HeapProfiler.collectGarbage")
    took = (time.perf_counter() - began) * 1000
    usage = session.send("Runtime.getHeapUsage")
    elements = page.evaluate("() => document.querySelectorAll('*').length")
    return (f"{elements} elements; {usage['embedderHeapUsedSize'] / 1e6:.1f} MB for the document and "
            f"{usage['usedSize'] / 1e6:.1f} MB for the script, after garbage collections of {took:.0f} ms")
