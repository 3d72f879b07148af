"""A page that has heard nothing for 20 s says so."""

from harness import PageCase, Suite


class Staleness(PageCase):
    def stale(self, screen, expected):
        """Waits until the page says that it is stale, or that it is not."""
        screen.until("(expected) => document.body.dataset.stale === expected", "true" if expected else "false",
                     f"body[data-stale] is {str(expected).lower()}")

    def test_a_silent_process_makes_the_page_stale_until_it_speaks(self):
        screen = self.open_with_clock()
        self.stale(screen, False)
        screen.process.child.pause()
        try:
            screen.skip(12_000)
            self.assertNotEqual(screen.run("() => document.body.dataset.stale"), "true", "12 s are not yet too long")
            screen.skip(12_000)
            self.stale(screen, True)
            self.assertTrue(screen.need("#stale").inner_text().strip())
        finally:
            screen.process.child.go_on()
        self.stale(screen, False)
        screen.gone("#stale")
        screen.send("Heard again")

    def test_a_clock_that_is_set_back_does_not_hide_silence(self):
        screen = self.open_with_clock()
        self.stale(screen, False)
        screen.process.child.pause()
        try:
            screen.skip(-3_600_000, "date")
            screen.skip(24_000)
            self.stale(screen, True)
        finally:
            screen.process.child.go_on()
        self.stale(screen, False)

    def test_a_page_is_stale_after_a_sleep_until_it_hears_the_process(self):
        screen = self.open_with_clock()
        self.stale(screen, False)
        screen.process.child.pause()
        try:
            # During a sleep, the monotonic clock of some browsers stops.
            screen.skip(3_600_000, "date")
            self.stale(screen, True)
        finally:
            screen.process.child.go_on()
        self.stale(screen, False)

    def test_a_page_that_hears_frames_is_not_stale(self):
        screen = self.open_with_clock()
        for number in range(4):
            screen.skip(9_000)
            screen.wait_row(self.operator.say(self.user, f"Frame {number}"))
        self.assertNotEqual(screen.run("() => document.body.dataset.stale"), "true")

    def test_a_beat_comes_every_five_seconds(self):
        process, context = self.page_process(), self.context()
        context.guard.origins.add(process.origin)
        page = context.new_page()
        with page.expect_websocket() as socket:
            page.goto(process.url)
        socket.value.wait_for_event("framereceived", lambda frame: '"beat"' in str(frame), timeout=8_000)

    def test_a_killed_process_makes_the_page_stale(self):
        screen = self.open_with_clock()
        screen.process.child.kill()
        screen.skip(25_000)
        self.stale(screen, True)
        screen.need("#stale")


class LostServer(PageCase):
    def test_a_server_that_does_not_answer_for_20_seconds_is_named(self):
        server = Suite.new_server()
        try:
            screen = self.open_with_clock(server=server)
            server.operator.act(None, {"action": "fault", "fault": "refuseUpgrade", "status": 503, "times": 200},
                                {"action": "cut"})
            screen.until("() => document.body.dataset.connection === 'waitingToReconnect'", what="the connection is lost")
            # The process answers the page after each step, so that only the server is silent.
            for number in range(2):
                self.assertEqual(screen.run("() => document.body.dataset.stale"), "false")
                screen.skip(11_000)
                screen.need("#text").fill(f"draft {number}")
                screen.wait_answer("typed")
            stale = screen.need("#stale")
            self.assertEqual(stale.inner_text(), "The server has not answered for a while")
            self.assertEqual(screen.run("() => document.body.dataset.stale"), "true")
        finally:
            server.stop()


class SilentServer(PageCase):
    server_options = {"patch": {"settings": {"pingIntervalMillis": 5000, "pingRetries": 1}}}

    def test_a_silent_server_is_said(self):
        screen = self.open()
        self.server.child.pause()
        try:
            screen.until("() => document.body.dataset.connection !== 'ready'"
                         " || document.body.dataset.stale === 'true' || document.querySelector('#banners .banner')",
                         what="the page says that the server is silent", timeout=25_000)
        finally:
            self.server.child.go_on()
        screen.until("() => document.body.dataset.connection === 'ready'", what="ready again", timeout=30_000)
        screen.send("The server is back")
