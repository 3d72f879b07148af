"""Voice messages, with the browser's fake microphone."""

from harness import PageCase


class Voice(PageCase):
    server_options = {"patch": {
        "channelConfig": {"voiceRecordingEnabled": True},
        "attachmentSettings": {"content": {"content": {"fileExtensions": ["txt", "ogg", "webm", "m4a", "mp4"]}}}}}

    def record(self, screen):
        """Records for at least 0.6 s of the page's time."""
        screen.need("#record").click()
        screen.need("#stop-record")
        began = screen.run("() => performance.now()")
        screen.until("(began) => performance.now() > began + 600", began, "a recording of 0.6 s")

    def test_a_voice_message_is_recorded_sent_and_played(self):
        screen = self.open(permissions=["microphone"])
        self.record(screen)
        screen.need("#stop-record").click()
        found = screen.until("""() => document.querySelector('#attachments .attachment') ? 'chosen'
            : document.querySelector('#rows li.row[data-author="me"] .file') ? 'sent' : null""",
            what="the recording is chosen or sent")
        if found == "chosen":
            screen.need("#send").click()
        file = self.poll(lambda: next((
            file for m in self.operator.from_client(self.user) for file in m["content"].get("attachments", [])), None),
            "the server has the voice message", 20)
        self.assertTrue(file["type"].startswith("audio/"), file)
        self.assertGreater(file["size"], 500)
        message = screen.need('#rows li.row[data-author="me"]').get_attribute("data-id")
        screen.wait_state(message, "sent", "delivered", "read")
        row = screen.row(message)
        row.locator(".file audio, .file button").first.wait_for(state="attached")
        # The page plays with its own button, or with the browser's controls.
        screen.run("""(id) => { const row = document.querySelector(`[data-id="${id}"]`);
            const button = row.querySelector('.file button, .voice button');
            if (button) button.click(); else row.querySelector('audio').play() }""", message)
        screen.until("""(id) => [...document.querySelectorAll(`[data-id="${id}"] audio`)].some((a) => a.currentTime > 0)
            || Number(document.querySelector(`[data-id="${id}"] input[type="range"]`)?.value) > 0""", message,
            "the sound plays")

    def test_the_transcript_is_shown(self):
        screen = self.open(permissions=["microphone"])
        self.record(screen)
        screen.need("#stop-record").click()
        if screen.until("""() => document.querySelector('#attachments .attachment') ? 'chosen'
                : document.querySelector('#rows li.row[data-author="me"] .file') ? 'sent' : null""") == "chosen":
            screen.need("#send").click()
        message = screen.need('#rows li.row[data-author="me"]').get_attribute("data-id")
        screen.wait_state(message, "sent", "delivered", "read")
        self.operator.act(self.user, {"action": "transcribe", "status": "SUCCESS", "text": "The words <i>spoken</i>"})
        screen.until("(id) => document.querySelector(`[data-id='${id}']`).textContent"
                     ".includes('The words <i>spoken</i>')", message, "the transcript")

    def test_a_refused_microphone_leaves_the_page_usable(self):
        def refuse(page):
            page.add_init_script("""navigator.mediaDevices.getUserMedia = () =>
                Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))""")
        screen = self.open(before=refuse)
        screen.need("#record").click()
        screen.need("#text")
        screen.send("By text instead")


class WithoutVoice(PageCase):
    def test_without_the_setting_no_button_is_shown(self):
        screen = self.open()
        self.assertFalse(screen.page.locator("#record").is_visible())
