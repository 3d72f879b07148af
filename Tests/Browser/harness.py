"""What the browser tests share: settings, the browser, the guard of each page, the page object, and the test case."""

import atexit
import json
import os
import pathlib
import random
import time
import unittest
import urllib.parse
import uuid

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright

import contract
from processes import Certificates, ChatServer, Failed, Folder, PageProcess, poll

TIMEOUT = 30_000
"""The longest wait for an event in milliseconds. A wait ends with the event, so this only limits failures. It is
generous, because a browser on a busy machine can need seconds for a page."""


class Suite:
    """The settings of the run, and what all tests share."""

    binary = pathlib.Path(os.environ.get("HOLDFAST_BINARY", ".build/debug/holdfast"))
    chromium = os.environ.get("HOLDFAST_CHROMIUM", "/usr/bin/chromium")
    seed = 20
    kills = 50
    headed = False
    failures = pathlib.Path(os.environ.get("HOLDFAST_BROWSER_FAILURES", ".build-browser/failures"))

    _folder = None
    _playwright = None
    _browser = None
    _certificates = None
    _servers = {}

    @classmethod
    def folder(cls):
        """The private temporary folder of the run."""
        if cls._folder is None:
            cls._folder = Folder()
        return cls._folder

    @classmethod
    def random(cls, name):
        """A random number generator for one test, the same in each run with this seed."""
        return random.Random(f"{cls.seed} {name}")

    @classmethod
    def certificates(cls):
        """Certificates that outlive a server."""
        if cls._certificates is None:
            cls._certificates = Certificates(cls.folder())
        return cls._certificates

    @classmethod
    def arguments(cls):
        """The arguments of the browser."""
        words = [
            "--disable-dev-shm-usage", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            "--force-color-profile=srgb", "--disable-background-networking", "--disable-component-update"]
        return words + (["--no-sandbox"] if os.geteuid() == 0 else [])

    @classmethod
    def browser(cls):
        """The browser, started with the first test."""
        if cls._browser is None:
            cls._playwright = sync_playwright().start()
            cls._browser = cls._playwright.chromium.launch(
                executable_path=cls.chromium, headless=not cls.headed, args=cls.arguments())
            atexit.register(cls.close)
        return cls._browser

    @classmethod
    def close(cls):
        """Closes the browser."""
        if cls._browser is not None:
            try:
                cls._browser.close()
                cls._playwright.stop()
            except PlaywrightError:
                pass
            cls._browser = None

    @classmethod
    def server(cls, **options):
        """A development server with these options, shared by all tests that ask for the same ones."""
        key = json.dumps(options, sort_keys=True)
        server = cls._servers.get(key)
        if server is None or not server.child.runs:
            server = cls._servers[key] = cls.new_server(**options)
        return server

    @classmethod
    def new_server(cls, **options):
        """A development server of its own."""
        return ChatServer(cls.binary, cls.folder(), **options)

    @classmethod
    def drop_changed_servers(cls):
        """Stops the shared servers that still have faults, steps or network conditions of an earlier test."""
        for key, server in list(cls._servers.items()):
            try:
                state = server.operator.overview() if server.child.runs else None
            except (Failed, OSError):
                state = None
            network = (state or {}).get("network", {})
            if state is None or state["faults"] or state["steps"] or any(network.values()):
                server.stop()
                del cls._servers[key]


PROBE = """
(() => {
    if (window.__probe) return;
    const probe = { executed: [], refused: [] };
    Object.defineProperty(window, '__probe', { value: probe });
    window.hacked = (what) => { probe.executed.push(String(what)); };
    document.addEventListener('securitypolicyviolation', (event) => {
        probe.refused.push(event.violatedDirective + ' ' + event.blockedURI);
    });
})()
"""
"""Records executed contents and violations of the content security policy. It runs before the page's own script."""


MOVABLE_CLOCK = """
(() => {
    const [RealDate, dateNow, performanceNow] = [Date, Date.now.bind(Date), performance.now.bind(performance)];
    let [date, age] = [0, 0];
    window.Date = class extends RealDate {
        constructor(...words) { if (words.length) super(...words); else super(dateNow() + date) }
        static now() { return dateNow() + date }
    };
    performance.now = () => performanceNow() + age;
    window.__skip = (milliseconds, clock) => {
        if (clock !== 'age') date += milliseconds;
        if (clock !== 'date') age += milliseconds;
    };
})()
"""
"""Lets a test move the clocks of a page. Timers run as usual, so a page that looks at its clock each second notices it."""


class Guard:
    """Watches every page of a context: other origins, dialogs, errors of scripts, violations of the CSP."""

    def __init__(self, context):
        self.origins, self.requests, self.errors, self.dialogs, self.refusals = set(), [], [], [], []
        self.context = context
        context.add_init_script(PROBE)
        context.on("request", lambda request: self.requests.append(request.url))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("console", self._console)
        context.on("dialog", self._dialog)

    def _console(self, message):
        text = message.text
        if message.type == "error" and ("Content Security Policy" in text or text.startswith("Refused to")):
            self.refusals.append(text)

    def _dialog(self, dialog):
        # A page may ask before it is left with an unsent file. The tests leave it.
        if dialog.type == "beforeunload":
            return dialog.accept()
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def foreign(self):
        """Returns the requests that left the page's origin."""
        found = []
        for url in self.requests:
            parts = urllib.parse.urlsplit(url)
            if parts.scheme in ("data", "blob", "about", "chrome-error"):
                continue
            scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
            if f"{scheme}://{parts.netloc}" not in self.origins:
                found.append(url)
        return found

    def problems(self):
        """Returns everything that no test expects."""
        found = [f"a request to another origin: {url}" for url in self.foreign()]
        found += [f"a dialog: {text}" for text in self.dialogs]
        found += [f"an error of the page's script: {text}" for text in self.errors]
        found += [f"a refusal by the CSP: {text}" for text in self.refusals]
        for page in self.context.pages:
            try:
                probe = page.evaluate("() => window.__probe")
            except PlaywrightError:
                continue
            found += [f"executed content: {text}" for text in (probe or {}).get("executed", [])]
        return found


class Screen:
    """A page in the browser. Its waits end with an event, and name the missing element."""

    def __init__(self, case, page, process=None):
        self.case, self.page, self.process = case, page, process
        page.set_default_timeout(TIMEOUT)
        self.sent, self.received = [], []
        page.on("websocket", self._watch)

    # MARK: Frames

    def _watch(self, socket):
        socket.on("framesent", lambda frame: self._keep(self.sent, frame))
        socket.on("framereceived", lambda frame: self._keep(self.received, frame))

    @staticmethod
    def _keep(frames, frame):
        try:
            frames.append(json.loads(frame))
        except (ValueError, TypeError):
            frames.append({"kind": "unreadable"})
        del frames[:-2000]

    def wait_answer(self, intent, timeout=TIMEOUT):
        """Waits until the page's process has answered the newest intent with this name, over the WebSocket."""
        end = time.monotonic() + timeout / 1000
        while True:
            numbers = [frame.get("to") for frame in self.sent if frame.get("intent") == intent]
            for frame in self.received:
                if numbers and frame.get("kind") == "answer" and frame.get("to") == numbers[-1]:
                    return frame
            if time.monotonic() > end:
                raise AssertionError(
                    f"no answer to the intent {intent!r}; the page sent {[f.get('intent') for f in self.sent][-20:]}")
            # Playwright delivers events during its own calls only.
            self.page.wait_for_timeout(10)

    # MARK: Elements

    def need(self, selector, state="visible", timeout=TIMEOUT):
        """Waits for an element, and returns it. A missing element is named with its meaning in the contract."""
        found = self.page.locator(selector).first
        try:
            found.wait_for(state=state, timeout=timeout)
        except PlaywrightTimeout:
            words = contract.words(selector)
            there = self.page.locator(selector).count()
            raise AssertionError(
                f"the page has not the element {selector!r} in the state {state!r}"
                + (f" ({words})" if words else "") + f"; {there} such elements exist at {self.page.url}") from None
        return found

    def gone(self, selector, timeout=TIMEOUT):
        """Waits until an element is hidden or removed."""
        try:
            self.page.locator(selector).first.wait_for(state="hidden", timeout=timeout)
        except PlaywrightTimeout:
            raise AssertionError(f"the element {selector!r} ({contract.words(selector)}) is still visible") from None

    def until(self, script, argument=None, what="", timeout=TIMEOUT):
        """Waits until a JavaScript function returns a true value, and returns the value."""
        try:
            return self.page.wait_for_function(
                script, arg=argument, timeout=timeout, polling=25).json_value()
        except PlaywrightTimeout:
            raise AssertionError(
                f"{what or script}: not within {timeout / 1000:g} s; argument {argument!r}; rows "
                f"{[(r['author'], r['state'], (r['text'] or '')[:40]) for r in self.rows()[-6:]]}") from None

    def run(self, script, argument=None):
        """Evaluates a JavaScript function."""
        return self.page.evaluate(script, argument)

    # MARK: The transcript

    ROWS = """
    () => [...document.querySelectorAll('#rows li.row')].map((row) => ({
        id: row.dataset.id, author: row.dataset.author, state: row.dataset.state ?? null,
        kind: row.dataset.kind ?? null, text: row.querySelector('.text')?.textContent ?? null }))
    """

    def rows(self):
        """Returns the rows of the transcript: id, author, state, kind and text of each."""
        try:
            return self.page.evaluate(self.ROWS)
        except PlaywrightError:
            return []

    def own(self):
        """Returns the user's own rows."""
        return [row for row in self.rows() if row["author"] == "me"]

    def row(self, message):
        """Returns the row of a message, without waiting."""
        return self.page.locator(f'#rows li.row[data-id="{message}"]')

    def wait_row(self, message, timeout=TIMEOUT):
        """Waits for the row of a message, and returns it."""
        return self.need(f'#rows li.row[data-id="{message}"]', "attached", timeout)

    def wait_text(self, text, author=None, timeout=TIMEOUT):
        """Waits for a row with this text, and returns its id."""
        return self.until(
            """([text, author]) => [...document.querySelectorAll('#rows li.row')].find((row) =>
                (!author || row.dataset.author === author) && row.querySelector('.text')?.textContent.trim() === text
            )?.dataset.id""", [text, author], f"a row with the text {text[:60]!r}", timeout)

    def wait_state(self, message, *states, timeout=TIMEOUT):
        """Waits until a message has one of the states, and returns it."""
        return self.until(
            """([id, states]) => { const state = document.querySelector(
                `#rows li.row[data-id="${id}"]`)?.dataset.state; return states.includes(state) ? state : null }""",
            [message, list(states)], f"the message {message} is {' or '.join(states)}", timeout)

    # MARK: Writing

    def write(self, text, press="Enter"):
        """Writes a message and sends it; with `press` None by the button. Returns without waiting for the row."""
        field = self.need("#text")
        field.fill(text)
        if press:
            field.press(press)
        else:
            self.need("#send").click()

    def send(self, text, *states, press="Enter"):
        """Sends a message and waits until it has one of the states (default: sent). Returns its id."""
        self.write(text, press)
        message = self.wait_text(text, "me")
        self.wait_state(message, *(states or ("sent", "delivered", "read")))
        return message

    def ready(self, timeout=20_000):
        """Waits until the page is interactive and its connection is ready."""
        self.need("#composer", timeout=timeout)
        self.until("() => performance.getEntriesByName('chat-interactive').length > 0",
                   what="the mark 'chat-interactive'", timeout=timeout)
        self.until("() => document.body.dataset.connection === 'ready'",
                   what="body[data-connection] is 'ready'", timeout=timeout)
        return self

    # MARK: The tab

    def set_hidden(self, hidden):
        """Makes the page believe that its tab is hidden or visible."""
        self.run("""(hidden) => {
            Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
            Object.defineProperty(document, 'visibilityState', {
                configurable: true, get: () => hidden ? 'hidden' : 'visible' });
            document.hasFocus = () => !hidden;
            document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
            window.dispatchEvent(new Event(hidden ? 'blur' : 'focus'));
        }""", hidden)

    def throttle(self, rate):
        """Slows the processor of the page down, by the developer tools' protocol."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
        return session

    def skip(self, milliseconds, clock=None):
        """Moves the clocks of the page, or only its `date` or its `age`; `open_with_clock` must have opened it."""
        self.run("([milliseconds, clock]) => window.__skip(milliseconds, clock)", [milliseconds, clock])

    def right_to_left(self):
        """Shows the page from right to left."""
        self.run("() => { document.documentElement.dir = 'rtl' }")


class PageCase(unittest.TestCase):
    """A test with a server, page processes and pages."""

    server_options = {}
    """The options of the shared development server that the tests of the class use."""
    watched = True
    """Whether the test fails if a page shows an unexpected error, dialog, refusal or request."""

    def setUp(self):
        self.name = self.id().split(".", 1)[-1] if "." in self.id() else self.id()
        self.random = Suite.random(self.id())
        self.guards = []
        self.processes = []
        self.screens = []
        Suite.drop_changed_servers()
        self.server = Suite.server(**self.server_options)
        self.operator = self.server.operator
        self.user = f"user-{uuid.UUID(int=self.random.getrandbits(128)).hex[:10]}"

    def tearDown(self):
        problems = [problem for guard in self.guards for problem in guard.problems()] if self.watched else []
        for guard in self.guards:
            try:
                guard.context.close()
            except PlaywrightError:
                pass
        for process in self.processes:
            process.child.kill()
        self.assertEqual(problems, [], "a page did what no test expects")

    # MARK: Starting

    def page_process(self, user=None, server=None, **options):
        """Starts a page's process for a user."""
        process = PageProcess(Suite.binary, Suite.folder(), server or self.server, user or self.user, **options)
        self.processes.append(process)
        return process

    def context(self, **options):
        """Opens a private window."""
        options.setdefault("locale", "en-US")
        options.setdefault("timezone_id", "UTC")
        options.setdefault("viewport", {"width": 900, "height": 720})
        context = Suite.browser().new_context(**options)
        guard = Guard(context)
        context.guard = guard
        self.guards.append(guard)
        return context

    def tab(self, process, context, url=None, before=None):
        """Opens the page of a process in a new tab."""
        context.guard.origins.add(process.origin)
        page = context.new_page()
        screen = Screen(self, page, process)
        self.screens.append(screen)
        if before:
            before(page)
        page.goto(url or process.url)
        return screen

    def open(self, user=None, server=None, before=None, ready=True, process=None, context=None, **options):
        """Starts a page's process and opens its page; waits until the connection is ready."""
        process = process or self.page_process(user, server)
        screen = self.tab(process, context or self.context(**options), before=before)
        return screen.ready() if ready else screen

    def open_with_clock(self, **options):
        """Opens the page with a clock that the test can move by `skip`."""
        return self.open(before=lambda page: page.add_init_script(MOVABLE_CLOCK), **options)

    # MARK: The server's side

    def server_texts(self, user=None):
        """Returns the texts that the server has from the user, in order."""
        return [m["content"].get("text") for m in self.operator.from_client(user or self.user)]

    def poll(self, condition, what, timeout=10.0):
        """Waits for a condition outside the browser."""
        return poll(condition, what, timeout)

    def known_client(self, user=None, messages=()):
        """Makes the server know a user, with these operator messages, before its page is opened."""
        process = self.page_process(user)
        context = Suite.browser().new_context()
        try:
            page = context.new_page()
            page.goto(process.url)
            poll(lambda: self.operator.client(user or self.user), "the server knows the user", 15)
        finally:
            context.close()
            process.child.kill()
        return self.operator.say_many(user or self.user, list(messages))


def measure(action):
    """Runs an action, and returns its duration in milliseconds."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000
