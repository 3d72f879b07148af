"""The operator desk of the development server."""

import json
import re

from harness import PageCase, Suite, Screen
from hostile import MARKUP
from test_accessibility import APPEARANCES, ZOOMED, Checks
from test_files import png


class DeskCase(Checks):
    def setUp(self):
        super().setUp()
        # The desk lists every client, so each test has a server of its own.
        self.server = Suite.new_server(
            patch={"settings": {"typingMessagesIntervalSeconds": 1}}, canned={
                "holdfastCannedAnswers": 1, "answers": [
                    {"name": "Greeting", "text": "Good morning! How can I help you?"},
                    {"name": "Thanks", "text": "Thank you for your patience."}]})
        self.operator = self.server.operator

    def tearDown(self):
        try:
            super().tearDown()
        finally:
            self.server.stop()

    def desk(self, context=None, sign_in=True):
        """Opens the desk, and signs in with the operator's token."""
        context = context or self.context(ignore_https_errors=True)
        url = self.server.desk_url
        context.guard.origins.add(re.match(r"https?://[^/]+", url).group(0))
        page = context.new_page()
        screen = Screen(self, page)
        self.screens.append(screen)
        page.goto(url)
        if sign_in:
            self.sign_in(page, self.server.operator_token)
            screen.need("#inbox", "attached")
        return screen

    def sign_in(self, page, token):
        """Fills in the sign-in form with a name of its own for each desk, and sends it."""
        page.locator("input[name=name]").fill(f"Operator {len(self.screens)}")
        page.locator("input[name=token]").fill(token)
        page.keyboard.press("Enter")

    def conversation(self, desk, user=None):
        """Waits for a conversation in the inbox, and opens it."""
        item = desk.need(f'#inbox li.conversation[data-id="{user or self.user}"]')
        link = item.locator("a, button")
        (link.first if link.count() else item).click()
        desk.need("#messages")
        return item


class Desk(DeskCase):
    def test_a_conversation_both_ways(self):
        client = self.open()
        client.send("Is anyone there?")
        desk = self.desk()
        self.conversation(desk)
        message = desk.until("""() => [...document.querySelectorAll('#messages li.message')]
            .find((item) => item.textContent.includes('Is anyone there?'))?.dataset.id""", what="the client's message")
        self.assertTrue(message)
        desk.need("#reply-text").fill("Yes, hello")
        desk.need("#reply-send").click()
        client.wait_text("Yes, hello", "other")
        desk.until("""() => [...document.querySelectorAll('#messages li.message')]
            .filter((item) => item.textContent.includes('Yes, hello')).length === 1""", what="the own reply, once")
        own = client.own()[0]["id"]
        client.wait_state(own, "read")

    def test_the_inbox_shows_who_waits(self):
        client = self.open()
        desk = self.desk()
        client.send("Waiting")
        item = desk.need(f'#inbox li.conversation[data-id="{self.user}"]')
        desk.until("(id) => document.querySelector(`#inbox li.conversation[data-id='${id}']`)?.dataset.waiting",
                   self.user, "the waiting time")
        self.assertTrue(item.get_attribute("data-state"))
        self.assertIn(f"Name of {self.user}", item.inner_text())

    def test_typing_both_ways(self):
        client = self.open()
        client.send("Hello")
        desk = self.desk()
        self.conversation(desk)
        client.need("#text").press_sequentially("I am typing")
        desk.need("#typing")
        desk.need("#reply-text").press_sequentially("So am I")
        client.need("#typing")

    def test_a_canned_answer(self):
        client = self.open()
        client.send("Hello")
        desk = self.desk()
        self.conversation(desk)
        desk.page.get_by_text("Canned answers", exact=True).click()
        desk.need("#canned").get_by_text("Thanks", exact=True).click()
        desk.until("(text) => document.querySelector('#reply-text').value === text", "Thank you for your patience.",
                   "the canned answer in the reply")
        desk.need("#reply-send").click()
        client.wait_text("Thank you for your patience.", "other")

    def test_a_file_for_the_client(self):
        client = self.open()
        client.send("Hello")
        desk = self.desk()
        self.conversation(desk)
        desk.need("#reply-file", "attached").set_input_files(
            [{"name": "offer.txt", "mimeType": "text/plain", "buffer": b"The offer"}])
        desk.need("#reply-text").fill("Here it is")
        desk.need("#reply-send").click()
        client.until("() => document.querySelector('#rows').textContent.includes('offer.txt')", what="the file")

    def test_closing_with_a_survey(self):
        client = self.open()
        client.send("Hello")
        desk = self.desk()
        self.conversation(desk)
        desk.need("#close-survey").click()
        client.need('[id^="survey-"]')

    def test_two_desks_show_the_same_and_each_other(self):
        client = self.open()
        client.send("Hello")
        desks = [self.desk(), self.desk()]
        for desk in desks:
            self.conversation(desk)
        desks[0].until("() => document.querySelector('#colleagues')?.textContent.trim()", what="the colleague")
        desks[0].need("#reply-text").fill("From the first desk")
        desks[0].need("#reply-send").click()
        for number in range(10):
            self.operator.say(self.user, f"By program {number}")
        client.send("Thanks")
        texts = """() => [...document.querySelectorAll('#messages li.message')].map((item) => item.dataset.id)"""
        for desk in desks:
            desk.until("() => document.querySelector('#messages').textContent.includes('Thanks')", what="the last one")
        first, second = (desk.run(texts) for desk in desks)
        self.assertEqual(first, second)
        self.assertEqual(len(first), len(set(first)))

    END = """() => { const list = document.querySelector('#messages');
        return list.scrollHeight - list.scrollTop - list.clientHeight < 2 }"""

    def test_large_pictures_move_nothing_and_the_end_stays_in_view(self):
        client = self.open()
        client.send("Hello")
        desk = self.desk()
        held, is_released = [], False
        desk.page.route("**/desk/files/**", lambda route: route.continue_() if is_released else held.append(route))
        self.conversation(desk)
        for number in range(6):
            picture = self.server.upload(self.user, f"{number}.png", "image/png", png(900, 1200))
            self.operator.act(self.user, {"action": "say", "text": f"Picture {number}", "attachments": [picture]})
            desk.until("(text) => document.querySelector('#messages').textContent.includes(text)", f"Picture {number}",
                       "the message with the picture")
            desk.until(self.END, what="the end is in view while the pictures are missing")
        desk.until("() => document.querySelectorAll('#messages img').length === 6", what="the pictures")
        height = "() => document.querySelector('#messages').scrollHeight"
        before = desk.run(height)
        self.poll(lambda: desk.run("() => 1") and held, "the pictures in view are requested")
        is_released = True
        for route in held:
            route.continue_()
        desk.run("() => document.querySelectorAll('#messages img').forEach((image) => { image.loading = 'eager' })")
        desk.until("() => [...document.querySelectorAll('#messages img')].every((image) => image.naturalHeight === 1200)",
                   what="all pictures")
        self.assertEqual(desk.run(height), before)
        desk.until(self.END, what="the end is in view")

    def test_a_growing_conversation_keeps_its_end_in_view_unless_the_operator_has_scrolled_up(self):
        client = self.open()
        client.send("Hello")
        for number in range(30):
            self.operator.say(self.user, f"Line {number}")
        desk = self.desk()
        self.conversation(desk)
        desk.until(self.END, what="the end is in view")
        grow = "() => { document.querySelector('#messages li:nth-last-child(5)').style.paddingBlockEnd = '400px' }"
        desk.run(grow)
        desk.until(self.END, what="the end is in view after an item has grown")
        desk.page.locator("#messages").hover()
        desk.page.mouse.wheel(0, -600)
        desk.until("""() => { const list = document.querySelector('#messages');
            return list.scrollHeight - list.scrollTop - list.clientHeight > 300 }""", what="the older messages")
        self.operator.say(self.user, "Later")
        desk.until("() => document.querySelector('#messages').textContent.includes('Later')", what="the new message")
        self.assertFalse(desk.run(self.END))

    def test_a_desk_that_was_away_misses_nothing(self):
        client = self.open()
        client.send("Before")
        desk = self.desk()
        self.conversation(desk)
        desk.page.context.set_offline(True)
        client.send("While away")
        desk.page.context.set_offline(False)
        desk.until("() => document.querySelector('#messages').textContent.includes('While away')",
                   what="the message from the time away", timeout=20_000)

    def test_the_search_finds_a_conversation(self):
        client = self.open()
        client.send("A needle in the hay")
        other = self.open(f"{self.user}-other")
        other.send("Only hay")
        desk = self.desk()
        field = desk.need("#desk-search")
        field = field if field.evaluate("(e) => e.tagName") == "INPUT" else field.locator("input").first
        field.fill("needle")
        field.press("Enter")
        hit = desk.need("#results li")
        self.assertEqual(desk.page.locator("#results li").count(), 1)
        self.assertIn(f"Name of {self.user}", hit.inner_text())
        self.assertIn("A needle in the hay", hit.inner_text())
        self.assertNotIn("Only hay", desk.need("#results").inner_text())
        hit.locator("a").first.click()
        desk.until("() => document.querySelector('#messages')?.textContent.includes('A needle in the hay')",
                   what="the found conversation")
        # A text that nobody wrote has no results.
        field = desk.need("#desk-search input")
        field.fill("haystack")
        field.press("Enter")
        desk.until("() => document.querySelector('#results') && !document.querySelector('#results li')", what="no results")

    def test_hostile_texts_of_clients_are_texts(self):
        client = self.open()
        texts = self.random.sample([text for text in MARKUP if "\x00" not in text and "\x0c" not in text], 15)
        for text in texts:
            client.send(text)
        desk = self.desk()
        self.conversation(desk)
        desk.until("(text) => document.querySelector('#messages').textContent.includes(text)", texts[-1], "the texts")
        found = desk.run("""() => [...document.querySelectorAll('*')].filter((element) =>
            /^(IFRAME|OBJECT|EMBED|BASE|MARQUEE)$/.test(element.tagName)
            || [...element.attributes].some((a) => /^on/i.test(a.name))).map((e) => e.outerHTML.slice(0, 80))""")
        self.assertEqual(found, [])

    def test_axe_on_sign_in_and_desk(self):
        desk = self.desk(sign_in=False)
        self.check_everywhere(desk.page)
        client = self.open()
        client.send("Hello")
        document = self.server.upload(self.user, "terms.txt", "text/plain", b"Terms")
        picture = self.server.upload(self.user, "cat.png", "image/png", png())
        self.operator.act(
            self.user, {"action": "join", "operator": {"name": "Vera", "role": "OPERATOR"}},
            {"action": "say", "text": "Good morning", "operator": {"name": "Vera"}, "attachments": [picture, document]},
            {"action": "say", "text": "A quote", "quotes": [{"type": "MESSAGE", "uuid": "q", "text": "Good morning"}],
             "quickReplies": [{"id": "q-1", "type": "TEXT", "text": "Yes"}]})
        colleague = self.desk()
        self.conversation(colleague)
        desk = self.desk()
        self.conversation(desk)
        desk.need("#claim").click()
        desk.need("#release")
        desk.page.get_by_text("About the client", exact=True).click()
        desk.page.get_by_text("Canned answers", exact=True).click()
        desk.need("#note-text").fill("A note")
        desk.need("#note-send").click()
        desk.need('#messages li[data-author="note"]')
        desk.until("() => document.querySelector('#colleagues li')", what="the colleague")
        self.check_everywhere(desk.page)
        self.check_everywhere(desk.page, {"400 %": ZOOMED}, {"light": APPEARANCES["light"]})
        self.assertEqual(self.targets(desk.page), [])

    def test_the_desk_by_keyboard_alone(self):
        client = self.open()
        client.send("Hello")
        desk = self.desk()
        desk.need(f'#inbox li.conversation[data-id="{self.user}"]')
        keyboard = desk.page.keyboard
        for _ in range(60):
            if desk.run("() => document.activeElement?.closest('#inbox li.conversation') !== null"):
                break
            keyboard.press("Tab")
        else:
            self.fail("Tab does not reach the inbox")
        keyboard.press("Enter")
        desk.need("#messages")
        for _ in range(80):
            if desk.run("() => document.activeElement?.id === 'reply-text'"):
                break
            keyboard.press("Tab")
        else:
            self.fail("Tab does not reach the reply")
        keyboard.type("By keyboard")
        keyboard.press("Enter")
        if not any(row["text"] == "By keyboard" for row in client.rows()) \
                and desk.need("#reply-text").input_value().startswith("By keyboard"):
            keyboard.press("Tab")
            for _ in range(10):
                if desk.run("() => document.activeElement?.id === 'reply-send'"):
                    break
                keyboard.press("Tab")
            keyboard.press("Enter")
        client.wait_text("By keyboard", "other")


class DeskSecurity(DeskCase):
    def call(self, method, path, headers=None, body=None):
        """Makes a call to the server, and returns status, headers and body."""
        connection = self.server.http()
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        # A stream of events does not end.
        is_stream = response.headers.get("Content-Type", "").startswith("text/event-stream")
        text = "" if is_stream else response.read().decode("utf-8", "replace")
        answer = (response.status, response.headers, text)
        connection.close()
        return answer

    def test_without_a_sign_in_nothing_is_served(self):
        status, headers, text = self.call("GET", "/desk")
        self.assertIn(status, (200, 303, 401))
        self.assertNotIn("li class=\"conversation", text)
        self.assertIn("Content-Security-Policy", headers)
        self.assertNotIn("unsafe", headers["Content-Security-Policy"])
        self.assertNotRegex(text, r"(?i)<script(?![^>]*\bsrc=)(?![^>]*application/json)")
        status, _, _ = self.call("GET", "/desk/events?after=0")
        self.assertIn(status, (303, 401, 403))

    def test_a_wrong_token_is_refused_and_a_cookie_is_private(self):
        desk = self.desk(sign_in=False)
        self.sign_in(desk.page, "wrong-token-wrong-token")
        desk.need("#notice")
        self.assertEqual(desk.page.locator("#inbox").count(), 0)
        desk = self.desk()
        cookies = [c for c in desk.page.context.cookies() if re.fullmatch("desk-[0-9]+", c["name"])]
        self.assertEqual(len(cookies), 1)
        self.assertTrue(cookies[0]["httpOnly"])
        self.assertEqual(cookies[0]["sameSite"], "Strict")

    def test_a_forged_post_is_refused(self):
        client = self.open()
        client.send("Hello")
        desk = self.desk()
        self.conversation(desk)
        cookie = "; ".join(f"{c['name']}={c['value']}" for c in desk.page.context.cookies())
        action = desk.run("() => document.querySelector('#reply').getAttribute('action') || location.pathname")
        for headers in ({"Origin": "https://evil.example"}, {}, {"Sec-Fetch-Site": "cross-site"}):
            status, _, _ = self.call("POST", action, {
                "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", **headers}, "text=forged")
            self.assertIn(status, (400, 401, 403, 404))
        self.assertEqual([m for m in self.operator.messages(self.user)
                          if json.dumps(m["content"]).find("forged") >= 0], [])
