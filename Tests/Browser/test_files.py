"""Files: choosing, dropping, pasting, limits before the upload, progress, cancelling, resuming, and received files."""

import base64
import hashlib
import struct
import zlib

from harness import PageCase


def png(width=64, height=48, color=(40, 120, 200)):
    """Makes a picture."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(color) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Files(PageCase):
    def payload(self, name="note.txt", kind="text/plain", data=b"contents"):
        """A file as a browser's dialog chooses it."""
        return {"name": name, "mimeType": kind, "buffer": data}

    def choose(self, screen, *files):
        """Chooses files, and waits until the page shows them."""
        screen.need("#file", "attached").set_input_files(list(files))
        return screen.need("#attachments .attachment")

    def sent_file(self, name):
        """Waits until the server has a message with this file, and returns its attachment."""
        return self.poll(lambda: next((
            file for m in self.operator.from_client(self.user) for file in m["content"].get("attachments", [])
            if file.get("name") == name and (file.get("result") or file.get("url"))), None),
            f"the server has the file {name}", 20)

    def transfer(self, screen, event, selector, name, kind, data):
        """Dispatches a drop or a paste with a file."""
        screen.need(selector)
        screen.run("""([event, selector, name, kind, data]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name, { type: kind }));
            const target = document.querySelector(selector);
            if (event === 'paste') {
                target.focus();
                target.dispatchEvent(new ClipboardEvent('paste', {
                    clipboardData: transfer, bubbles: true, cancelable: true }));
            } else {
                for (const name of ['dragenter', 'dragover', 'drop']) {
                    target.dispatchEvent(new DragEvent(name, {
                        dataTransfer: transfer, bubbles: true, cancelable: true }));
                }
            }
        }""", [event, selector, name, kind, base64.b64encode(data).decode()])

    def test_a_file_is_sent_with_its_text(self):
        screen = self.open()
        self.choose(screen, self.payload(data=b"x" * 1000))
        self.assertIn("note.txt", screen.need("#attachments").inner_text())
        screen.write("See the note", press=None)
        file = self.sent_file("note.txt")
        self.assertEqual(file["size"], 1000)
        message = screen.until("""() => [...document.querySelectorAll('#rows li.row[data-author="me"]')]
            .find((row) => row.querySelector('.files .file[data-state="ready"]'))?.dataset.id""",
            what="a row with the sent file")
        screen.wait_state(message, "sent", "delivered", "read")
        self.assertIn("note.txt", screen.row(message).text_content())
        self.assertIn("See the note", screen.row(message).text_content())
        self.assertEqual(screen.page.locator("#attachments .attachment").count(), 0)

    def test_a_file_is_dropped_and_another_pasted(self):
        screen = self.open()
        self.transfer(screen, "drop", "#chat", "dropped.png", "image/png", png())
        screen.need("#attachments .attachment")
        self.transfer(screen, "paste", "#text", "pasted.png", "image/png", png(color=(1, 2, 3)))
        screen.until("() => document.querySelectorAll('#attachments .attachment').length === 2", what="two files")
        screen.need("#send").click()
        self.sent_file("dropped.png")
        self.sent_file("pasted.png")

    def test_limits_are_shown_before_the_upload(self):
        screen = self.open()
        requests = []
        screen.page.on("request", lambda r: requests.append(r.url) if r.method in ("POST", "PUT") else None)
        screen.need("#file", "attached").set_input_files([self.payload("program.exe", "application/octet-stream")])
        self.assertTrue(screen.need(".limit-error").inner_text().strip())
        self.assertIn("program.exe", screen.need("#attachments .attachment").inner_text())
        self.operator.act(None, {
            "action": "attachmentSettings", "settings": {"maxSize": 1, "fileExtensions": ["txt", "png"]}})
        try:
            self.poll(lambda: self.reloaded_limit(screen) < 2_000_000, "the page knows the new limit")
            screen.ready()
            requests.clear()
            screen.need("#file", "attached").set_input_files([self.payload("big.txt", data=b"x" * 1_500_000)])
            self.assertIn("1", screen.need(".limit-error").inner_text())
            screen.need("#text").fill("Only the text")
            screen.need("#send").click()
            # Nothing is sent: the focus moves to the button that removes the file, and the text stays.
            screen.until("() => document.activeElement?.closest('#attachments .attachment')",
                         what="the focus is on the file")
            self.assertEqual(screen.need("#text").input_value(), "Only the text")
            self.assertEqual(screen.own(), [])
            screen.need("#attachments .attachment button.remove").click()
            screen.need("#send").click()
            sent = self.operator.wait_message(self.user, "Only the text")
            self.assertEqual(sent["content"].get("attachments", []), [])
            self.assertEqual(len(self.operator.from_client(self.user)), 1)
            self.assertEqual([url for url in requests if url.endswith("/files")], [])
        finally:
            self.operator.act(None, {"action": "attachmentSettings", "settings": {
                "maxSize": 10, "fileExtensions": ["jpeg", "jpg", "png", "gif", "pdf", "txt", "ogg", "bin"]}})

    def reloaded_limit(self, screen):
        """Reloads the page, and returns the largest size of a file in its state."""
        screen.page.reload()
        return screen.run("() => JSON.parse(document.querySelector('#chat-state').textContent)"
                          ".state.limits.maximumBytes")

    def test_an_upload_shows_its_progress(self):
        screen = self.open()
        screen.run("""() => { window.__states = new Set();
            new MutationObserver(() => { for (const file of document.querySelectorAll('.files .file'))
                window.__states.add(file.dataset.state + (file.querySelector('progress') ? ' with progress' : ''));
            }).observe(document.querySelector('#rows'), { subtree: true, childList: true, attributes: true }) }""")
        self.operator.act(None, {"action": "fault", "fault": "delayCall", "call": "upload", "milliseconds": 1200})
        self.choose(screen, self.payload("large.bin", "application/octet-stream", bytes(3_000_000)))
        screen.need("#send").click()
        screen.until("() => window.__states.has('uploading with progress')", what="a progress bar")
        self.assertEqual(self.sent_file("large.bin")["size"], 3_000_000)
        screen.need('.files .file[data-state="ready"]')

    def test_an_upload_can_be_cancelled(self):
        screen = self.open()
        self.operator.act(None, {"action": "fault", "fault": "delayCall", "call": "upload", "milliseconds": 3000})
        self.choose(screen, self.payload("cancelled.bin", "application/octet-stream", bytes(400_000)))
        screen.need("#send").click()
        row = screen.need('#rows li.row[data-author="me"]')
        row.locator("button.delete").click()
        screen.until("() => !document.querySelector('#rows li.row[data-author=\"me\"]')", what="the row is gone")
        screen.send("Marker")
        self.assertEqual(self.server_texts(), ["Marker"])

    def test_a_cancelled_upload_is_reported_to_the_process(self):
        screen = self.open()
        # The upload gets no answer, as if the process had received the file and the answer was lost.
        screen.page.route("**/files", lambda route: None)
        self.choose(screen, self.payload("cancelled.bin", "application/octet-stream", bytes(4_000)))
        screen.need("#send").click()
        row = screen.need('#rows li.row[data-author="me"]')
        message = row.get_attribute("data-id")
        row.locator("button.delete").click()
        screen.wait_answer("cancelUpload")
        self.assertEqual([frame["message"] for frame in screen.sent if frame.get("intent") == "cancelUpload"], [message])
        self.assertEqual(screen.own(), [])

    def test_a_chosen_file_can_be_removed(self):
        screen = self.open()
        chosen = self.choose(screen, self.payload())
        chosen.locator("button").first.click()
        screen.until("() => !document.querySelector('#attachments .attachment')", what="no chosen file")
        screen.send("Without a file")
        self.assertEqual(self.operator.wait_message(self.user, "Without a file")["content"].get("attachments", []), [])

    def test_an_upload_resumes_in_another_process(self):
        screen = self.open()
        data = hashlib.sha256(b"seed").digest() * 100_000
        self.operator.act(None, {"action": "fault", "fault": "delayCall", "call": "upload", "milliseconds": 1500})
        self.choose(screen, self.payload("resumed.bin", "application/octet-stream", data))
        screen.need("#send").click()
        # A row that the process has sent: only then does the process have the file.
        screen.need('li.row[data-state="uploading"]:not([data-local])')
        screen.process.child.kill()
        screen.page.close()
        screen.process.restart()
        other = self.open(process=screen.process)
        self.assertEqual(self.sent_file("resumed.bin")["size"], len(data))
        other.need('.files .file[data-state="ready"]', timeout=20_000)
        self.assertEqual(len(self.operator.from_client(self.user)), 1)
        self.assertEqual(len(other.own()), 1)

    def test_received_pictures_are_shown_and_others_are_downloads(self):
        screen = self.open()
        picture = self.server.upload(self.user, "cat.png", "image/png", png())
        document = self.server.upload(self.user, "terms.txt", "text/plain", b"Terms")
        message = self.operator.say(self.user, "Two files", attachments=[picture, document])
        row = screen.wait_row(message)
        screen.until("""(id) => { const image = document.querySelector(`[data-id="${id}"] .file img`);
            return image?.complete && image.naturalWidth > 0 }""", message, "the picture is drawn")
        with screen.page.expect_download() as download:
            row.locator(".file a", has_text="terms.txt").first.click()
        self.assertEqual(download.value.suggested_filename, "terms.txt")
        self.assertEqual(download.value.path().read_bytes(), b"Terms")

    def test_an_expired_file_says_so(self):
        screen = self.open()
        document = self.server.upload(self.user, "old.txt", "text/plain", b"Old")
        message = self.operator.say(self.user, "A file", attachments=[document])
        screen.wait_row(message)
        self.operator.act(self.user, {"action": "files", "message": message, "attachments": [
            {"id": document["id"], "state": "EXPIRED"}]})
        file = screen.need(f'[data-id="{message}"] .file[data-state="expired"]')
        self.assertEqual(file.locator("a[href]").count(), 0)

    def test_a_failed_file_says_why(self):
        screen = self.open()
        document = self.server.upload(self.user, "virus.txt", "text/plain", b"?")
        message = self.operator.say(self.user, "A file", attachments=[
            {**document, "state": "ERROR", "errorCode": "virus", "errorMessage": "The scanner refused it"}])
        file = screen.need(f'[data-id="{message}"] .file[data-state="failed"]')
        self.assertIn("The scanner refused it", file.inner_text())
