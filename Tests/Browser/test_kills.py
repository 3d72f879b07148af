"""Random kills of the tab, the page's process and the server: nothing is lost, nothing is doubled, no state is wrong.

The number of kills and the seed are options of run.py: `--kills 1000 --seed 7`.
"""

import time
import urllib.parse

from playwright.sync_api import Error as PlaywrightError

from harness import PageCase, Suite
from processes import Failed

STORED = ("sent", "delivered", "read")


class Kills(PageCase):
    def setUp(self):
        super().setUp()
        # The certificates outlive the server, so that the restarted server has the same pins.
        self.server = Suite.new_server(
            certificates=Suite.certificates(), stored=True,
            patch={"settings": {"retryIntervalMillis": 250, "pingIntervalMillis": 5000}})
        self.operator = self.server.operator
        # What must arrive, and what may arrive: texts of the user, and ids of the operator's messages.
        self.owed, self.possible, self.said = [], [], []
        self.number = 0

    def tearDown(self):
        super().tearDown()
        self.server.stop()

    def test_random_kills_lose_and_double_nothing(self):
        self.process = self.page_process()
        self.window = self.context()
        self.screen = self.open(process=self.process, context=self.window)
        counts = {"tab": 0, "process": 0, "server": 0}
        for round in range(Suite.kills):
            victim = self.random.choice(["tab", "process", "server"])
            counts[victim] += 1
            try:
                self.write_and_kill(victim)
                getattr(self, f"revive_{victim}")()
                self.check(all_messages=round == Suite.kills - 1)
            except (AssertionError, Failed, PlaywrightError) as error:
                raise AssertionError(
                    f"kill {round + 1} of {Suite.kills} ({victim}, seed {Suite.seed}): {error}") from error
        print(f"     {Suite.kills} kills: {counts}; {len(self.owed) + len(self.said)} messages", flush=True)

    # MARK: A round

    def write_and_kill(self, victim):
        """Writes messages from both sides, and kills the victim between or after them."""
        steps = ["own"] * self.random.randint(1, 2) + ["other"] * self.random.randint(0, 2)
        self.random.shuffle(steps)
        place = self.random.randint(0, len(steps))
        for step in steps[:place]:
            if step == "own":
                self.write_own()
            else:
                self.say()
        # The random moment of the kill, not a wait for anything.
        time.sleep(self.random.uniform(0, 0.03))
        self.pending = self.unanswered()
        getattr(self, f"kill_{victim}")()
        # What is written afterwards meets a dead part; the tab itself must live for that.
        for step in steps[place:]:
            if step == "own" and victim == "server":
                self.write_own()
            elif step == "other" and victim != "server":
                self.say()

    def write_own(self):
        """Writes a message of the user and sends it, without waiting for its row."""
        self.number += 1
        text = f"own {self.number}"
        field = self.screen.need("#text")
        field.fill(text)
        field.press("Enter")
        self.owed.append(text)

    def say(self):
        """Sends a message of the operator. The server has it when the call returns."""
        self.number += 1
        self.said.append(self.operator.say(self.user, f"other {self.number}"))

    def unanswered(self):
        """Returns what the tab keeps in its storage because the page's process has not answered it."""
        return self.screen.run("""() => Object.keys(localStorage).filter((key) => key.startsWith('chat:'))
            .map((key) => localStorage.getItem(key)).join('\\n')""")

    # MARK: Kills

    def kill_tab(self):
        """Closes the tab without asking it, or crashes it."""
        if self.random.random() < 0.3:
            try:
                self.screen.page.goto("chrome://crash", timeout=3_000)
            except PlaywrightError:
                pass
        self.screen.page.close(run_before_unload=False)

    def revive_tab(self):
        """Opens the page again, with the cookie of the window."""
        self.screen = self.tab(self.process, self.window, self.process.origin + self.process.path)

    def kill_process(self):
        """Kills the page's process."""
        self.process.child.kill()
        if not self.process.keeps_port:
            # Another port is another origin, whose storage is empty. What the process never answered can be lost.
            lost = [text for text in self.owed if f'"{text}"' in self.pending]
            self.owed = [text for text in self.owed if text not in lost]
            self.possible += lost

    def revive_process(self):
        """Starts the process with the same store, and opens its new one-time URL in the same tab."""
        # The living tab must not claim more than the server has.
        claimed = {row["id"] for row in self.screen.own() if row["state"] in STORED}
        known = {m["uuid"] for m in self.newest()}
        self.assertEqual(claimed - known, set(), "the page of a killed process shows a message as sent that is not")
        self.process.restart()
        self.window.guard.origins.add(self.process.origin)
        self.screen.page.goto(self.process.url)

    def kill_server(self):
        """Kills the server."""
        self.server.kill()

    def revive_server(self):
        """Starts the server on the same port with the same database."""
        self.server.start()

    # MARK: The check

    def newest(self):
        """Returns the newest 200 messages on the server."""
        path = f"/clients/{urllib.parse.quote(self.user, safe='')}/messages?count=200"
        return self.operator.call("GET", path, expect=(200, 404)).get("messages", [])

    def check(self, all_messages):
        """Waits until everything that is owed has arrived, and compares the page with the server."""
        # Connections that end soon lengthen the delay before the next attempt of the SDK.
        self.screen.ready(timeout=70_000)
        last_own = self.owed[-1] if self.owed else None
        if last_own:
            self.screen.wait_text(last_own, "me", timeout=20_000)
        if self.said:
            self.screen.wait_row(self.said[-1], timeout=20_000)
        # A message fails if the server does not confirm it within 20 s, and the delays before connections can be longer.
        # The user then sends it again.
        self.screen.until(
            """(stored) => {
                const rows = [...document.querySelectorAll('#rows li.row[data-author="me"]')];
                for (const row of rows.filter((row) => row.dataset.state === 'failed')) {
                    const again = row.querySelector('button.retry:not([data-pressed])');
                    if (again) { again.dataset.pressed = ''; again.click(); }
                }
                return rows.every((row) => stored.includes(row.dataset.state));
            }""", list(STORED), "every own row is sent", 60_000)
        server = self.operator.messages(self.user) if all_messages else self.newest()
        server = [m for m in server if m["content"].get("type") == "MESSAGE"]
        ids = [m["uuid"] for m in server]
        self.assertEqual(len(ids), len(set(ids)), "the server has a message twice")
        texts = [m["content"].get("text") for m in server if m.get("fromClient")]
        self.assertEqual(len(texts), len(set(texts)), f"a text was sent twice: {texts}")
        self.assertEqual(set(texts) - set(self.owed) - set(self.possible), set(), "the server has an unknown text")
        complete = all_messages or len(server) < 200
        owed = self.owed if complete else self.owed[-20:]
        said = self.said if complete else self.said[-20:]
        self.assertEqual([text for text in owed if text not in texts], [], "a message of the user is lost")
        self.assertEqual([message for message in said if message not in ids], [], "an operator's message is lost")
        rows = [row for row in self.screen.rows() if row["kind"] == "message"]
        shown = [row["id"] for row in rows]
        self.assertEqual(len(shown), len(set(shown)), "the page shows a message twice")
        # A change of the order by the server can still be in flight.
        self.poll(lambda: self.shown() == ids[-len(self.shown()):],
                  f"the page shows the server's newest messages in their order: {ids[-8:]}", 10)

    def shown(self):
        """Returns the ids of the messages on the page."""
        return [row["id"] for row in self.screen.rows() if row["kind"] == "message"]
