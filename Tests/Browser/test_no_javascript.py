"""The page without JavaScript: the transcript, the form that sends, surveys and files."""

from harness import PageCase
from hostile import MARKUP


class NoJavaScript(PageCase):
    def open_plain(self):
        """Opens the page in a window without JavaScript."""
        process = self.page_process()
        context = self.context(java_script_enabled=False)
        screen = self.tab(process, context)
        screen.need("#composer")
        self.poll(lambda: self.operator.client(self.user), "the server knows the user", 15)
        return screen

    def reload_until(self, screen, selector, text=None):
        """Loads the page again until an element with this text exists; each answer of the process is one try."""
        def look():
            found = screen.page.locator(selector, has_text=text) if text else screen.page.locator(selector)
            if found.count():
                return True
            screen.page.goto(screen.process.origin + screen.process.path)
            return False
        self.poll(look, f"an element {selector!r} with {text!r}", 15)
        return screen.page.locator(selector, has_text=text).first if text else screen.page.locator(selector).first

    def test_messages_are_sent_and_read(self):
        screen = self.open_plain()
        screen.need("#text").fill("Without a script")
        screen.need("#send").click()
        self.operator.wait_message(self.user, "Without a script")
        row = self.reload_until(screen, '#rows li.row[data-author="me"]', "Without a script")
        self.assertIn(row.get_attribute("data-state"), ("queued", "sending", "sent", "delivered", "read"))
        self.reload_until(screen, '#rows li.row[data-state="sent"], #rows li.row[data-state="delivered"]')
        self.operator.say(self.user, "I read you")
        self.reload_until(screen, '#rows li.row[data-author="other"]', "I read you")

    def test_a_text_that_is_too_long_is_cut_and_kept(self):
        screen = self.open_plain()
        self.assertEqual(screen.need("#remaining", "attached").inner_text(), "")
        screen.need("#text").fill("x" * 4010)
        screen.need("#send").click()
        self.assertEqual(screen.need("#remaining").inner_text(), "The text is too long and was cut")
        self.assertEqual(screen.need("#text").input_value(), "x" * 4000)
        screen.need("#send").click()
        self.operator.wait_message(self.user, "x" * 4000)
        self.assertEqual(self.server_texts(), ["x" * 4000])

    def test_a_reload_after_sending_does_not_send_again(self):
        screen = self.open_plain()
        screen.need("#text").fill("Once")
        screen.need("#send").click()
        self.operator.wait_message(self.user, "Once")
        screen.page.reload()
        screen.page.reload()
        screen.need("#text").fill("Marker")
        screen.need("#send").click()
        self.operator.wait_message(self.user, "Marker")
        self.assertEqual(self.server_texts(), ["Once", "Marker"])

    def test_a_survey_is_answered(self):
        screen = self.open_plain()
        self.operator.act(self.user, {"action": "survey", "survey": {"id": 1, "sendingId": 2, "questions": [
            {"id": 3, "sendingId": 4, "text": "How was it?", "scale": 5}]}})
        survey = self.reload_until(screen, '[id^="survey-"]')
        radio = survey.locator('input[type="radio"][value="4"]')
        if radio.count():
            radio.check()
            survey.locator('button[type="submit"], .submit, button').first.click()
        else:
            survey.locator('button[value="4"]').click()
        answered = lambda: any("ANSWER" in m["content"].get("type", "") for m in self.operator.messages(self.user))
        if not answered():
            # Several questions, or a comment, are sent together with another button.
            submit = screen.page.locator('[id^="survey-"] .submit')
            if submit.count():
                submit.first.click()
        self.poll(answered, "the answer to the survey")

    def test_a_quick_reply_is_pressed(self):
        screen = self.open_plain()
        self.operator.say(self.user, "Continue?", quickReplies=[{"id": "q", "type": "TEXT", "text": "Yes"}])
        self.reload_until(screen, ".quick button", "Yes").click()
        self.operator.wait_message(self.user, "Yes")

    def test_a_file_is_sent(self):
        screen = self.open_plain()
        screen.page.locator("#file, input[type=file]").first.set_input_files(
            [{"name": "plain.txt", "mimeType": "text/plain", "buffer": b"plain"}])
        # The field belongs to a form that posts to /files, perhaps by its attribute `form`.
        form = screen.page.locator("#file, input[type=file]").first.get_attribute("form")
        scope = f'button[form="{form}"]' if form else "form:has(input[type=file]) button"
        screen.page.locator(scope).first.click()
        self.poll(lambda: any(file.get("name") == "plain.txt" for m in self.operator.from_client(self.user)
                              for file in m["content"].get("attachments", [])), "the server has the file", 15)

    def test_a_failed_message_is_sent_again(self):
        screen = self.open_plain()
        self.operator.act(self.user, {
            "action": "fault", "fault": "fail", "frame": "MESSAGE", "error": "message.forbidden", "times": 1})
        screen.need("#text").fill("Again")
        screen.need("#send").click()
        self.reload_until(screen, '#rows li.row[data-state="failed"]', "Again")
        screen.page.locator("button.retry").first.click()
        self.operator.wait_message(self.user, "Again")

    def test_the_html_contains_hostile_texts_as_texts(self):
        screen = self.open_plain()
        for text in MARKUP[:40]:
            self.operator.say(self.user, text)
        self.operator.say(self.user, "The end")
        self.reload_until(screen, "#rows li.row", "The end")
        for tag in ("iframe", "object", "embed", "base", "svg script", "marquee", "#rows img[onerror]"):
            self.assertEqual(screen.page.locator(tag).count(), 0, tag)
