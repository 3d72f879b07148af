"""Voice messages, with the browser's fake microphone."""

import math
import struct

from harness import PageCase


def wav(*parts, rate=8_000):
    """Makes a sound: one second of a tone for each part, which is its loudness from 0 to 1."""
    samples = [round(part * 30_000 * math.sin(2 * math.pi * 440 * n / rate)) for part in parts for n in range(rate)]
    data = struct.pack(f"<{len(samples)}h", *samples)
    head = b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate * 2, 2, 16)
    return b"RIFF" + struct.pack("<I", 4 + len(head) + 8 + len(data)) + b"WAVE" + head + b"data" \
        + struct.pack("<I", len(data)) + data


NOTE_PLAYERS = """(() => { const Real = Audio; window.__players = [];
    window.Audio = class extends Real { constructor(...words) { super(...words); window.__players.push(this) } } })()"""
"""Notes the players of the page, which are not in the document."""


class Voice(PageCase):
    server_options = {"patch": {
        "channelConfig": {"voiceRecordingEnabled": True},
        "attachmentSettings": {"content": {"content": {"fileExtensions": ["txt", "ogg", "webm", "m4a", "mp4", "wav"]}}}}}

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

    BARS = """(id) => {
        const canvas = document.querySelector(`[data-id="${id}"] .voice canvas`);
        const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        // The height of each of the 60 bars, and the color of its middle.
        return Array.from({ length: 60 }, (_, bar) => {
            const at = (y) => [...data.slice((y * width + bar * 4) * 4, (y * width + bar * 4) * 4 + 4)];
            let size = 0;
            for (let y = 0; y < height; y++) if (at(y)[3] > 0) size++;
            return [size, at(height / 2).join()] });
    }"""

    def test_a_sound_has_a_wave_form_and_can_be_sought(self):
        screen = self.open(before=lambda page: page.add_init_script(NOTE_PLAYERS))
        sound = self.server.upload(self.user, "sound.wav", "audio/wav", wav(1, 0, 0.5, 0))
        message = self.operator.say(self.user, "Listen", attachments=[sound])
        seek = screen.need(f'[data-id="{message}"] .voice input[type="range"]')
        self.assertEqual([size for size, _ in screen.run(self.BARS, message)], [0] * 60, "no wave form before it plays")
        # To the middle of the third second, with the pointer or the keys: both change the value and report it.
        seek.evaluate("(field) => { field.value = 625; field.dispatchEvent(new Event('input', { bubbles: true })) }")
        screen.until("(id) => document.querySelector(`[data-id='${id}'] .voice canvas`).getContext('2d')"
                     ".getImageData(0, 0, 240, 32).data.some((value) => value > 0)", message, "the wave form")
        screen.until("() => window.__players.length === 1 && Math.abs(window.__players[0].currentTime - 2.5) < 0.1",
                     what="the player is at 2.5 s")
        screen.until("(id) => document.querySelector(`[data-id='${id}'] input`).getAttribute('aria-valuetext') === '0:02'",
                     message, "the place in words")
        bars = screen.run(self.BARS, message)
        sizes = [size for size, _ in bars]
        # Loud, silent, half as loud, silent; the bars at the borders belong to two seconds.
        for first, least, most in ((0, 27, 32), (15, 1, 4), (30, 12, 18), (45, 1, 4)):
            part = sizes[first + 1:first + 14]
            self.assertTrue(all(least <= size <= most for size in part), (first, sizes))
        # The part that was played has another color.
        colors = [color for _, color in bars]
        self.assertEqual(len(set(colors[:37])), 1, colors)
        self.assertEqual(len(set(colors[38:])), 1, colors)
        self.assertNotEqual(colors[0], colors[-1])
        # It plays on from there.
        screen.need(f'[data-id="{message}"] .voice button.play').click()
        screen.until("() => window.__players[0].currentTime > 2.6", what="the sound plays from 2.5 s")

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
