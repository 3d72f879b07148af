"""The transcript: what the page shows of a conversation."""

import json

from harness import PageCase
from test_files import png


class Transcript(PageCase):
    def test_shows_messages_in_a_log(self):
        screen = self.open()
        message = self.operator.say(
            self.user, "Good morning", operator={"id": "o-1", "name": "Vera", "role": "OPERATOR"})
        row = screen.wait_row(message)
        self.assertEqual(row.get_attribute("data-author"), "other")
        self.assertEqual(row.get_attribute("data-kind"), "message")
        self.assertEqual(row.locator(".text").text_content().strip(), "Good morning")
        self.assertIn("Vera", row.text_content())
        self.assertEqual(row.locator(".meta time").count(), 1)
        self.assertRegex(row.locator(".meta time").text_content(), r"\d")
        log = screen.need("#rows")
        self.assertEqual(log.get_attribute("role"), "log")
        self.assertEqual(log.get_attribute("aria-live"), "polite")

    ANNOUNCED = """() => {
        const log = document.querySelector('#rows');
        window.__announced = [];
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes) for (const node of addedNodes) {
                const rows = node.nodeType !== 1 ? [] : node.matches('li.row') ? [node] : node.querySelectorAll('li.row');
                for (const row of rows) window.__announced.push({
                    id: row.dataset.id, text: row.querySelector('.bubble').textContent, isLast:
                    row === [...log.querySelectorAll('li.row')].at(-1), isSilent: log.ariaBusy === 'true'
                    || row.closest('[aria-live]').ariaLive === 'off' });
            }
        }).observe(log, { childList: true, subtree: true });
    }"""
    """Notes each row that is added to the log: a screen reader announces it, unless its list is silent."""

    def test_a_new_message_is_announced_once_and_older_ones_are_not(self):
        ids = self.known_client(messages=[f"message {number}" for number in range(260)])
        screen = self.open()
        screen.wait_row(ids[-1])
        # The page draws older rows until the oldest is far above the view.
        screen.until(
            "() => document.querySelector('#paging').getBoundingClientRect().bottom < -6000", None, "older rows", 20_000)
        screen.run(self.ANNOUNCED)
        message = self.operator.say(
            self.user, "Good morning", operator={"id": "o-1", "name": "Vera", "role": "OPERATOR"})
        screen.wait_row(message)
        announced = screen.run("() => window.__announced.filter((row) => !row.isSilent)")
        self.assertEqual([row["id"] for row in announced], [message])
        # The region has the role of a log, so that its additions are announced in order, each with its author.
        self.assertTrue(announced[0]["isLast"])
        self.assertRegex(announced[0]["text"], r"(?s)Vera.*Good morning")
        log = screen.need("#rows")
        self.assertEqual(log.get_attribute("role"), "log")
        self.assertEqual(log.get_attribute("aria-live"), "polite")
        self.assertEqual(screen.run("() => document.querySelector('#rows').closest('[aria-hidden], [inert]')"), None)
        screen.run("() => { window.__announced.length = 0 }")
        screen.until("""() => { document.querySelector('#load-older').click();
            return window.__announced.length >= 50 }""", what="older rows")
        self.assertEqual({row["isSilent"] for row in screen.run("() => window.__announced")}, {True})
        # Changes of these rows are announced.
        screen.until("() => !document.querySelector('#rows [aria-live]')", what="no list is silent any more")

    def test_a_message_is_announced_while_older_rows_are_drawn(self):
        ids = self.known_client(messages=[f"message {number}" for number in range(600)])
        screen = self.open()
        screen.wait_row(ids[-1])
        screen.run(self.ANNOUNCED)
        # The page draws older rows while the oldest ones are in the view, as in each of these frames.
        screen.run("""() => {
            const scroller = document.querySelector('#scroll');
            const frame = () => {
                scroller.scrollTop = -scroller.scrollHeight;
                requestAnimationFrame(frame);
            };
            frame();
        }""")
        screen.until("() => window.__announced.length > 0", what="older rows")
        message = self.operator.say(self.user, "Good morning")
        announced = screen.until("""(id) => {
            const index = window.__announced.findIndex((row) => row.id === id);
            return index > 0 && index < window.__announced.length - 1 && window.__announced }""", message, "rows after it")
        self.assertEqual([row["id"] for row in announced if not row["isSilent"]], [message])

    def test_shows_bots_and_system_lines(self):
        screen = self.open()
        self.operator.act(self.user, {"action": "join", "operator": {"name": "Robot", "role": "BOT"}})
        screen.until("""() => [...document.querySelectorAll('#rows li.row[data-author="system"]')]
            .some((row) => row.textContent.includes('Robot'))""", what="a system line says that Robot joined")
        bot = self.operator.say(self.user, "I am a bot", operator={"name": "Robot", "role": "BOT"})
        row = screen.wait_row(bot)
        self.assertEqual(row.get_attribute("data-author"), "other")
        self.assertIn("bot", row.inner_text().lower())
        title = screen.need("#title")
        self.assertTrue(title.text_content().strip())

    def test_links_are_links_and_nothing_else_is(self):
        screen = self.open()
        message = self.operator.say(
            self.user, "See https://example.com/a?b=1&c=2. Not javascript:alert(1) and not <a href=x>this</a>.")
        row = screen.wait_row(message)
        links = row.locator(".text a")
        self.assertEqual(links.count(), 1)
        link = links.first
        self.assertEqual(link.get_attribute("href"), "https://example.com/a?b=1&c=2")
        self.assertIn("noopener", link.get_attribute("rel") or "")
        self.assertIn("noreferrer", link.get_attribute("rel") or "")
        self.assertIn("<a href=x>this</a>", row.locator(".text").text_content())

    def test_a_followed_link_is_reported(self):
        context = self.context()
        # Nothing leaves the machine: the test answers for the other site.
        context.guard.origins.add("https://shop.example")
        context.route("https://shop.example/**", lambda route: route.fulfill(body="The shop"))
        screen = self.open(context=context)
        message = self.operator.say(self.user, "See https://shop.example/a?b=1 for prices")
        with context.expect_page() as opened:
            screen.wait_row(message).locator(".text a").click()
        self.assertEqual(screen.wait_answer("opened")["result"], "done")
        self.assertEqual([frame["url"] for frame in screen.sent if frame.get("intent") == "opened"],
                         ["https://shop.example/a?b=1"])
        opened.value.wait_for_url("https://shop.example/a?b=1")
        self.assertEqual(opened.value.evaluate("() => [window.opener, document.referrer]"), [None, ""])

    def test_edits_and_deletions_change_the_row(self):
        screen = self.open()
        message = self.operator.say(self.user, "Teh price")
        screen.wait_row(message)
        self.operator.act(self.user, {"action": "edit", "message": message, "text": "The price"})
        screen.until("""(id) => document.querySelector(`[data-id="${id}"] .text`)?.textContent.trim() === 'The price'""",
                     message, "the edited text")
        self.assertIn("edited", screen.row(message).inner_text().lower())
        self.operator.act(self.user, {"action": "delete", "message": message})
        screen.until("""(id) => document.querySelector(`[data-id="${id}"]`)?.dataset.kind === 'deleted'""",
                     message, "the row is deleted")
        self.assertNotIn("The price", screen.page.content())

    def test_typing_is_shown_and_ends(self):
        screen = self.open()
        self.operator.act(self.user, {"action": "type"})
        screen.need("#typing")
        self.operator.say(self.user, "Written")
        screen.gone("#typing")

    def test_days_and_times(self):
        screen = self.open()
        screen.wait_row(self.operator.say(self.user, "Today"))
        self.assertGreaterEqual(screen.page.locator("#rows .day").count(), 1)
        self.assertIn("today", screen.page.locator("#rows .day").last.inner_text().lower())

    def test_unread_messages_have_a_divider_and_a_counter(self):
        # Otherwise the socket closes while nobody looks at the chat.
        self.server.operator.act(None, {"action": "settings", "channelConfig": {"keepSocketActive": True}})
        self.addCleanup(self.server.operator.act, None, {
            "action": "settings", "channelConfig": {"keepSocketActive": False}})
        screen = self.open()
        screen.wait_row(self.operator.say(self.user, "Read"))
        screen.set_hidden(True)
        screen.wait_answer("disappeared")
        for text in ("one", "two", "three"):
            last = self.operator.say(self.user, text)
        screen.wait_row(last)
        screen.until("() => document.title.startsWith('(3) ')", what="the title begins with (3)")
        self.assertEqual(screen.page.locator("#rows .unread-divider").count(), 1)
        before = screen.run("""() => { const mark = document.querySelector('#rows .unread-divider');
            const next = (element) => { for (let at = element.nextElementSibling; at; at = at.nextElementSibling)
                if (at.matches('li.row')) return at; return element.closest('li')?.querySelector('.text') };
            return next(mark)?.textContent ?? '' }""")
        self.assertIn("one", before)
        screen.set_hidden(False)
        screen.until("() => !document.title.startsWith('(')", what="the title has no counter")

    def test_older_messages_load_in_order(self):
        ids = self.known_client(messages=[f"message {number}" for number in range(400)])
        screen = self.open()
        screen.wait_row(ids[-1])
        self.assertLess(len(screen.rows()), 400)
        while len([row for row in screen.rows() if row["author"] == "other"]) < 400:
            count = len(screen.rows())
            # A click while older rows are on their way has no effect.
            screen.until("""(count) => { document.querySelector('#load-older')?.click();
                return document.querySelectorAll('#rows li.row').length > count }""", count, "older rows")
        shown = [row["id"] for row in screen.rows() if row["author"] == "other"]
        self.assertEqual(shown, ids)

    def test_older_messages_load_without_a_jump(self):
        ids = self.known_client(messages=[f"message {number}" for number in range(400)])
        screen = self.open()
        screen.wait_row(ids[-1])
        # The button is above the transcript's first row. A click would scroll to it, and that is not the page's jump.
        # The rows are drawn in the same task as the scrolling, before the browser has learned the heights of the rows.
        for _ in range(3):
            before, after, count = screen.run("""async () => {
                const rows = document.querySelector('#rows');
                const count = () => rows.querySelectorAll('li.row').length;
                const row = rows.querySelector('li.row[data-author="other"]');
                // The row begins with the day and the name, which an older row takes over.
                const top = () => row.querySelector('.text').getBoundingClientRect().top;
                const frame = () => new Promise(requestAnimationFrame);
                row.scrollIntoView({ block: 'center' });
                const [before, start] = [top(), count()];
                for (let tries = 0; count() === start && tries < 600; tries++) {
                    document.querySelector('#load-older').click();
                    if (count() === start) await frame();
                }
                for (let frames = 0; frames < 3; frames++) await frame();
                return [before, top(), count() - start] }""")
            self.assertGreater(count, 0, "older rows are drawn")
            self.assertAlmostEqual(after, before, delta=3)

    def test_a_burst_stays_in_order(self):
        screen = self.open()
        ids = self.operator.say_many(self.user, [f"line {number}" for number in range(200)])
        screen.wait_row(ids[-1])
        shown = [row["id"] for row in screen.rows() if row["id"] in set(ids)]
        self.assertEqual(shown, ids)

    def test_a_new_message_while_reading_older_ones_does_not_scroll(self):
        ids = self.known_client(messages=[f"message {number}\n\n\n" for number in range(40)])
        self.server.operator.act(None, {"action": "settings", "channelConfig": {"scrollToLatest": False}})
        try:
            screen = self.open()
            screen.wait_row(ids[-1])
            screen.run("""(id) => document.querySelector(`[data-id="${id}"]`)
                .scrollIntoView({ block: 'start' })""", ids[-25])
            message = self.operator.say(self.user, "Below")
            screen.wait_row(message)
            button = screen.need("#new-messages")
            button.click()
            screen.until("""(id) => { const box = document.querySelector(`[data-id="${id}"]`).getBoundingClientRect();
                return box.top >= 0 && box.bottom <= innerHeight }""", message, "the newest message is visible")
        finally:
            self.server.operator.act(None, {"action": "settings", "channelConfig": {"scrollToLatest": True}})

    def test_quick_replies_send_their_text_and_vanish(self):
        screen = self.open()
        message = self.operator.say(self.user, "Continue?", quickReplies=[
            {"id": "q-1", "type": "TEXT", "text": "Yes"}, {"id": "q-2", "type": "TEXT", "text": "No"},
            {"id": "q-3", "type": "URL", "text": "Read", "url": "https://example.com/read"}])
        screen.wait_row(message)
        buttons = screen.page.locator(".quick button, .quick a")
        screen.need(".quick button")
        self.assertEqual([text.strip() for text in buttons.all_text_contents()], ["Yes", "No", "Read"])
        buttons.first.click()
        screen.wait_state(screen.wait_text("Yes", "me"), "sent", "delivered", "read")
        screen.gone(".quick button")
        self.assertEqual(self.server_texts(), ["Yes"])

    def test_a_reply_quotes_the_message(self):
        screen = self.open()
        message = self.operator.say(self.user, "Which one?")
        row = screen.wait_row(message)
        row.hover()
        row.locator("button.reply").click()
        self.assertIn("Which one?", screen.need("#quote").inner_text())
        own = screen.send("The second")
        screen.gone("#quote")
        self.assertIn("Which one?", screen.row(own).locator(".quote").text_content())
        sent = self.operator.wait_message(self.user, "The second")
        self.assertEqual(sent["content"]["quotes"][0]["text"], "Which one?")

    def test_copies_a_text(self):
        screen = self.open(permissions=["clipboard-read", "clipboard-write"])
        row = screen.wait_row(self.operator.say(self.user, "Copy <b>me</b>"))
        row.hover()
        row.locator("button.copy").click()
        screen.until("async () => (await navigator.clipboard.readText()) === 'Copy <b>me</b>'", what="the clipboard")

    def test_right_to_left_texts_keep_their_direction(self):
        screen = self.open()
        row = screen.wait_row(self.operator.say(self.user, "שלום עולם"))
        text = row.locator(".text")
        direction, bidi = text.evaluate("(e) => [getComputedStyle(e).direction, getComputedStyle(e).unicodeBidi]")
        self.assertTrue(direction == "rtl" or bidi in ("plaintext", "isolate", "isolate-override"), (direction, bidi))

    def test_a_message_of_an_unknown_type_has_a_row(self):
        screen = self.open()
        self.operator.act(self.user, {"action": "push", "content": {"type": "HOLOGRAM", "uuid": "u-hologram-1"}})
        screen.until("() => document.querySelector('#rows li.row[data-kind=\"unsupported\"]')?.textContent.trim()",
                     what="a row for an unsupported message")

    def test_announces_the_wait(self):
        screen = self.open()
        screen.send("Hello")
        self.operator.act(self.user, {"action": "announce", "notice": "AVERAGE_WAIT_TIME", "text": "About 4 minutes"})
        screen.until("() => document.querySelector('#chat').textContent.includes('About 4 minutes')",
                     what="the average waiting time")


class Previews(PageCase):
    server_options = {"patch": {"channelConfig": {"linkPreviewEnabled": True}}}

    def previewing(self, answers):
        """Returns a context in which the test answers for the server that fetches previews, and the requested rows.

        The page's process would ask the linked site, which does not exist. `PreviewTests` check the process.
        """
        context, requested = self.context(), []

        def answer(route):
            requested.append(route.request.url.rpartition("/")[2])
            found = answers.pop(0)
            if found is None:
                return route.fulfill(status=204)
            route.fulfill(status=200, content_type="application/json", body=json.dumps(found))
        context.route("**/preview/*", answer)
        context.route("**/images/a-picture", lambda route: route.fulfill(content_type="image/png", body=png()))
        return context, requested

    def test_a_link_has_a_preview(self):
        context, requested = self.previewing([{
            "site": "Shop <b>", "title": "Two <i>chairs</i>", "description": "Oak & ash", "image": "images/a-picture",
            "url": "https://shop.example/chairs"}, None])
        screen = self.open(context=context)
        message = self.operator.say(self.user, "See https://shop.example/chairs today")
        row = screen.wait_row(message)
        card = screen.need(f'[data-id="{message}"] .bubble a.preview')
        self.assertEqual([card.locator(name).text_content() for name in (".site", ".title", ".description")],
                         ["Shop <b>", "Two <i>chairs</i>", "Oak & ash"])
        self.assertEqual(card.get_attribute("href"), "https://shop.example/chairs")
        self.assertEqual(card.get_attribute("target"), "_blank")
        self.assertEqual(set(card.get_attribute("rel").split()), {"noopener", "noreferrer"})
        screen.until("""(id) => { const image = document.querySelector(`[data-id="${id}"] .preview img`);
            return image?.complete && image.naturalWidth > 0 && new URL(image.src).origin === location.origin }""",
            message, "the picture from the own server")
        # A change of another part of the row keeps the card.
        self.operator.act(self.user, {"action": "edit", "message": message,
                                      "text": "Look: https://shop.example/chairs today"})
        screen.until("""(id) => document.querySelector(`[data-id="${id}"] .edited`)""", message, "the edited row")
        self.assertEqual(row.locator("a.preview").count(), 1)
        # A site without a preview has a link only.
        other = self.operator.say(self.user, "And https://shop.example/none")
        screen.wait_row(other)
        self.poll(lambda: screen.run("() => 1") and len(requested) == 2, "the second preview is requested")
        self.assertEqual(requested, [message, other])
        self.assertEqual(screen.row(other).locator("a.preview").count(), 0)


class WithoutPreviews(PageCase):
    def test_without_the_setting_no_preview_is_requested(self):
        screen = self.open()
        screen.wait_row(self.operator.say(self.user, "See https://shop.example/chairs"))
        screen.wait_row(self.operator.say(self.user, "The end"))
        requests = screen.page.context.guard.requests
        self.assertEqual([url for url in requests if "/preview/" in url], [])
        self.assertEqual(screen.page.locator(".preview").count(), 0)
