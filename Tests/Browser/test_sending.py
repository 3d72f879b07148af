"""Sending: states, failures, retries, drafts, and messages without a connection."""

from harness import PageCase

STORED = ("sent", "delivered", "read")


class Sending(PageCase):
    def test_a_message_passes_through_its_states(self):
        screen = self.open()
        message = screen.send("Hello")
        self.assertEqual(self.operator.wait_message(self.user, "Hello")["uuid"], message)
        self.assertEqual(screen.need("#text").input_value(), "")
        self.operator.act(self.user, {"action": "receive"})
        screen.wait_state(message, "delivered", "read")
        self.operator.act(self.user, {"action": "read"})
        screen.wait_state(message, "read")
        self.assertTrue(screen.row(message).locator(".state").text_content().strip())

    def test_enter_sends_and_shift_enter_does_not(self):
        screen = self.open()
        field = screen.need("#text")
        field.press_sequentially("one")
        field.press("Shift+Enter")
        field.press_sequentially("two")
        self.assertEqual(field.input_value(), "one\ntwo")
        field.press("Enter")
        screen.wait_state(screen.wait_text("one\ntwo", "me"), *STORED)

    def test_the_button_sends(self):
        screen = self.open()
        screen.send("By the button", press=None)
        self.assertEqual(self.server_texts(), ["By the button"])

    def test_two_quick_clicks_send_once(self):
        screen = self.open()
        screen.need("#text").fill("Once")
        screen.need("#send").dblclick()
        screen.wait_state(screen.wait_text("Once", "me"), *STORED)
        screen.send("After")
        self.assertEqual(self.server_texts(), ["Once", "After"])

    def test_nothing_is_not_sent(self):
        screen = self.open()
        screen.write("   \n ")
        screen.send("Something")
        self.assertEqual(self.server_texts(), ["Something"])
        self.assertEqual(len(screen.own()), 1)

    def test_the_text_has_a_limit(self):
        screen = self.open()
        limit = screen.run("() => JSON.parse(document.querySelector('#chat-state').textContent)"
                           ".state.input.maximumLength")
        field = screen.need("#text")
        field.fill("x" * (limit - 5))
        remaining = screen.until("() => document.querySelector('#remaining')?.textContent.match(/\\d+/)?.[0]",
                                 what="the number of characters left")
        self.assertEqual(int(remaining), 5)
        field.fill("x" * (limit + 10))
        field.press("Enter")
        screen.until("() => /too long.*-10/.test(document.querySelector('#remaining').textContent)",
                     what="the page says that the text is too long")
        self.assertEqual(field.input_value(), "x" * (limit + 10), "the text stays in the field")
        screen.send("Marker")
        # The server has the messages in order: what was sent before the marker would be here.
        self.assertEqual(self.server_texts(), ["Marker"])
        screen.send("x" * limit)
        self.assertEqual([len(text) for text in self.server_texts()], [len("Marker"), limit])

    def test_a_refused_message_says_why_and_can_be_retried(self):
        screen = self.open()
        self.operator.act(self.user, {
            "action": "fault", "fault": "fail", "frame": "MESSAGE", "error": "message.forbidden",
            "details": "The text is not allowed today", "times": 1})
        screen.write("Again")
        message = screen.wait_text("Again", "me")
        screen.wait_state(message, "failed")
        self.assertTrue(screen.row(message).locator(".state").text_content().strip())
        self.assertEqual(self.server_texts(), [])
        screen.row(message).locator("button.retry").click()
        screen.wait_state(message, *STORED)
        self.assertEqual(self.server_texts(), ["Again"])
        self.assertEqual(len(screen.own()), 1)

    def test_a_failed_message_can_be_deleted(self):
        screen = self.open()
        self.operator.act(self.user, {
            "action": "fault", "fault": "fail", "frame": "MESSAGE", "error": "message.forbidden", "times": 1})
        screen.write("Away")
        message = screen.wait_text("Away", "me")
        screen.wait_state(message, "failed")
        screen.row(message).locator("button.delete").click()
        screen.until("(id) => !document.querySelector(`[data-id='${id}']`)", message, "the row is gone")
        focused = screen.run("() => document.activeElement?.id || document.activeElement?.tagName")
        self.assertNotEqual(focused, "BODY", "the focus is lost with the deleted row")

    def test_a_lost_receipt_does_not_double_the_message(self):
        screen = self.open()
        self.operator.act(self.user, {"action": "fault", "fault": "cutBeforeReply", "frame": "MESSAGE"})
        screen.send("Only once")
        self.assertEqual(self.server_texts(), ["Only once"])
        self.assertEqual(len(screen.own()), 1)

    def test_a_message_without_a_connection_waits(self):
        screen = self.open()
        self.operator.act(self.user, {"action": "fault", "fault": "refuseUpgrade", "status": 503, "times": 4},
                          {"action": "cut"})
        screen.until("() => document.body.dataset.connection !== 'ready'", what="the connection is lost")
        screen.write("Later")
        message = screen.wait_text("Later", "me")
        screen.wait_state(message, "queued", "sending", *STORED)
        screen.wait_state(message, *STORED, timeout=20_000)
        self.assertEqual(self.server_texts(), ["Later"])

    def test_a_queued_message_can_be_deleted(self):
        screen = self.open()
        # The pause doubles with each refusal.
        self.operator.act(self.user, {"action": "fault", "fault": "refuseUpgrade", "status": 503, "times": 3},
                          {"action": "cut"})
        screen.until("() => document.body.dataset.connection !== 'ready'", what="the connection is lost")
        screen.write("Never")
        message = screen.wait_text("Never", "me")
        screen.wait_state(message, "queued")
        screen.row(message).locator("button.delete").click()
        screen.until("(id) => !document.querySelector(`[data-id='${id}']`)", message, "the row is gone")
        screen.until("() => document.body.dataset.connection === 'ready'", what="ready again", timeout=20_000)
        screen.send("Marker")
        self.assertEqual(self.server_texts(), ["Marker"])

    def test_the_operator_sees_what_is_typed(self):
        screen = self.open()
        screen.need("#text").press_sequentially("A draft")
        self.poll(lambda: (self.operator.client(self.user) or {}).get("draft"), "the operator sees a draft")

    def test_a_draft_survives_a_reload_and_a_restart(self):
        screen = self.open()
        screen.need("#text").press_sequentially("Not sent yet")
        self.poll(lambda: (self.operator.client(self.user) or {}).get("draft"), "the page's process has the draft")
        screen.page.reload()
        screen.ready()
        screen.until("() => document.querySelector('#text').value === 'Not sent yet'", what="the draft")
        # The draft is stored when nobody looks at the chat any more; while somebody types, with a pause.
        screen.set_hidden(True)
        screen.wait_answer("disappeared")
        process = screen.process
        process.child.stop()
        process.restart()
        other = self.open(process=process)
        other.until("() => document.querySelector('#text').value === 'Not sent yet'", what="the draft")
        self.assertEqual(self.server_texts(), [])

    def test_a_tab_that_closes_with_an_unanswered_message_sends_it_once(self):
        screen = self.open()
        context, process = screen.page.context, screen.process
        process.child.pause()
        screen.write("From the closed tab")
        screen.until("""() => Object.keys(localStorage).some((key) =>
            key.startsWith('chat:') && localStorage.getItem(key).includes('From the closed tab'))""",
            what="the unanswered message is kept in the tab's storage")
        screen.page.close()
        process.child.go_on()
        again = self.tab(process, context, process.origin + process.path).ready()
        again.wait_state(again.wait_text("From the closed tab", "me"), *STORED)
        again.send("Marker")
        self.assertEqual(self.server_texts(), ["From the closed tab", "Marker"])
        self.assertEqual([row["text"].strip() for row in again.own()], ["From the closed tab", "Marker"])

    def test_texts_arrive_unchanged(self):
        screen = self.open()
        texts = ["<b>bold</b> & \"quotes\" 'too'", "emoji 👩‍👩‍👧‍👦 and e\u0301", "tab\there", "  inner  blanks  ".strip(),
                 "javascript:alert(1)", "{\"json\": [1, null]}", "line\nbreak"]
        for text in texts:
            screen.send(text)
        self.assertEqual(self.server_texts(), texts)
