"""Banners, the security state, and the reasons why a server is refused."""

import re

from harness import PageCase, Suite
from processes import Child


class Banners(PageCase):
    def test_a_lost_connection_says_when_the_next_attempt_is(self):
        screen = self.open()
        self.operator.act(None, {"action": "fault", "fault": "refuseUpgrade", "status": 503, "retryAfter": 3,
                                 "times": 2}, {"action": "cut"})
        banner = screen.need('#banners .banner[data-kind="connectionLost"]')
        self.assertTrue(banner.inner_text().strip())
        screen.until("() => /\\d/.test(document.querySelector('#banners .countdown')?.textContent ?? '')",
                     what="a countdown to the next attempt")
        self.assertEqual(screen.need("#banners").get_attribute("role"), "status")
        screen.gone('#banners .banner[data-kind="connectionLost"]', timeout=20_000)

    def test_a_missing_configuration_can_be_reloaded(self):
        server = Suite.new_server()
        try:
            server.operator.act(None, {"action": "fault", "fault": "failCall", "call": "configuration", "status": 500,
                                       "times": 4})
            screen = self.open(server=server, ready=False)
            banner = screen.need('#banners .banner[data-kind="configurationFailed"]', timeout=20_000)
            failures = lambda: server.operator.overview()["faults"]
            # The process waits for the visitor, who presses the button until the server answers.
            for _ in range(4):
                before = failures()
                if not before:
                    break
                banner.locator("button.reload").click()
                self.assertEqual(screen.wait_answer("reload")["result"], "done")
                self.poll(lambda: failures() < before, "the configuration is requested again")
                screen.until("() => !document.querySelector('#banners .banner[data-kind=\"configurationFailed\"]')"
                             " || document.querySelector('#banners button.reload')", what="the result")
            screen.gone('#banners .banner[data-kind="configurationFailed"]')
            screen.ready()
            screen.send("The settings are here")
        finally:
            server.stop()

    def test_a_failed_history_is_said(self):
        self.known_client(messages=["old"])
        self.operator.act(None, {"action": "fault", "fault": "failCall", "call": "history", "status": 500,
                                 "times": 50})
        screen = self.open(ready=False)
        screen.need('#banners .banner[data-kind="historyFailed"]', timeout=20_000)

    def test_outside_the_hours_the_page_says_so(self):
        server = Suite.new_server(patch={"schedule": {"content": {"content": {
            "active": False, "sendDuringInactive": False, "notification": "Back on <b>Monday</b>"}}}})
        try:
            screen = self.open(server=server, ready=False)
            screen.until("() => document.querySelector('#chat').textContent.includes('Back on <b>Monday</b>')",
                         what="the text of the schedule")
            screen.until("() => { const field = document.querySelector('#text');"
                         " return !field || field.disabled || field.readOnly }", what="the field is blocked")
        finally:
            server.stop()

    def test_a_blocked_client_is_told_and_freed(self):
        screen = self.open()
        screen.send("Hello")
        self.operator.act(self.user, {"action": "block", "text": "You are blocked"})
        blocked = "() => { const field = document.querySelector('#text');" \
                  " return !field || field.disabled || field.readOnly }"
        screen.until(blocked, what="the field is blocked")
        self.assertIn("You are blocked", screen.need("#chat").text_content())
        self.operator.act(self.user, {"action": "unblock"})
        screen.until(f"() => !({blocked})()", what="the field is free")

    def test_a_refused_token_is_said(self):
        screen = self.open()
        server = Suite.new_server(tokens=["the-only-valid-token"])
        try:
            other = self.open(server=server, ready=False)
            other.need('#banners .banner[data-kind="unauthorized"]', timeout=20_000)
        finally:
            server.stop()
        screen.send("The other page works")


class Security(PageCase):
    def test_pins_in_force_are_shown(self):
        screen = self.open()
        self.assertEqual(screen.need("#security").get_attribute("data-security"), "pinned")
        self.assertTrue(screen.need("#security").inner_text().strip())

    def test_trust_without_pins_is_shown(self):
        process = self.page_process(pinned=False)
        screen = self.open(process=process)
        self.assertEqual(screen.need("#security").get_attribute("data-security"), "systemTrust")

    def test_a_server_without_certificates_is_shown(self):
        screen = self.open(server=Suite.server(tls=False))
        security = screen.need("#security")
        self.assertEqual(security.get_attribute("data-security"), "unverified")
        self.assertEqual(security.inner_text(), "Not protected: certificates are not verified")
        # The colour is not the only difference.
        self.assertEqual(security.evaluate("(element) => getComputedStyle(element, '::before').content"), '"▲"')
        screen.send("In the clear")
        # The server has no client with a certificate: the state comes from the process, also after a reload.
        screen.page.reload()
        screen.ready()
        self.assertEqual(screen.need("#security").get_attribute("data-security"), "unverified")

    def test_an_attack_is_refused_with_its_reason(self):
        server = Suite.new_server()
        try:
            screen = self.open(server=server)
            server.operator.act(None, {"action": "identity", "scenario": "newKeySameAuthority"}, {"action": "cut"})
            screen.until("() => document.body.dataset.connection !== 'ready'", what="the connection is refused")
            screen.until("""() => /pin|key|certificate|trust/i.test(
                document.querySelector('#banners')?.textContent ?? '')""", what="the reason of the refusal")
            screen.write("Not for the attacker")
            message = screen.wait_text("Not for the attacker", "me")
            screen.wait_state(message, "queued", "sending", "failed")
            server.operator.act(None, {"action": "identity", "scenario": "genuine"})
            screen.wait_state(message, "sent", "delivered", "read", timeout=30_000)
        finally:
            server.stop()


class Demo(PageCase):
    def test_the_demo_shows_the_page_the_desk_and_the_attack(self):
        child = Child([Suite.binary, "demo", "--browser"], Suite.folder().path, "holdfast demo --browser")
        try:
            urls = {name: child.wait_line(rf"^{name}:\s.*?(https?://\S+)", f"the line '{name}: URL'", 60).group(1)
                    for name in ("page", "desk", "attack")}
            context = self.context(ignore_https_errors=True)
            for url in urls.values():
                context.guard.origins.add(re.match(r"https?://[^/]+", url).group(0))
            page = context.new_page()
            page.goto(urls["page"])
            page.locator("#composer").wait_for()
            page.goto(urls["desk"])
            page.locator("form, #inbox").first.wait_for()
            page.goto(urls["attack"])
            page.wait_for_function("""() => /pin|key|certificate|refused/i.test(
                document.querySelector('main, body').innerText)""", timeout=20_000)
        finally:
            self.assertIn(child.stop(), (0, 130, -2))
