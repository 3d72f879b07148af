"""Hostile contents from the server and from operators: nothing of them is executed, and no request leaves the origin."""

import re

from hostile import CONTENTS, LINKS, MARKUP
from harness import PageCase
from processes import Failed

CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]")


class Hostile(PageCase):
    def carriers(self, text):
        """A message that has a text in every place where a server can put one."""
        return {
            "text": text, "formattedText": text,
            "operator": {"id": "o-1", "name": text[:120] or "x", "photoUrl": text[:400], "status": text[:60],
                         "role": text[:60], "organizationUnit": text[:60]},
            "quotes": [{"type": "MESSAGE", "uuid": text[:60] or "u", "text": text[:1000],
                        "operator": {"name": text[:100]}}],
            "quickReplies": [{"id": text[:60], "type": "URL", "text": text[:100] or "x", "url": text[:400],
                              "imageUrl": text[:400]}],
            "speechStatus": text[:60], "speechText": text[:400]}

    def check(self, screen):
        """Checks the page's document for anything that came from a text and is not text."""
        found = screen.run("""() => {
            const problems = [];
            const inside = '#rows .text *, #rows .quote *, #context-rows .text *, #quote *, [id^="survey-"] legend *';
            const allowed = new Set(['A', 'BR', 'SPAN', 'BDI', 'MARK', 'P', 'STRONG', 'EM', 'B', 'I', 'CODE', 'BUTTON',
                'CITE', 'SMALL', 'BLOCKQUOTE', 'DETAILS', 'SUMMARY']);
            for (const element of document.querySelectorAll(inside))
                if (!allowed.has(element.tagName)) problems.push('an element in a text: ' + element.outerHTML.slice(0, 90));
            for (const element of document.querySelectorAll('*')) {
                for (const attribute of element.attributes) {
                    if (/^on/i.test(attribute.name)) problems.push('a handler: ' + element.outerHTML.slice(0, 90));
                    // The page remembers the height of a list.
                    const isHeight = element.matches('ol.chunk')
                        && /^contain-intrinsic-block-size: auto [0-9.]+px;$/.test(attribute.value);
                    if (attribute.name === 'style' && !isHeight) problems.push('a style: ' + element.outerHTML.slice(0, 90));
                }
                if (/^(IFRAME|OBJECT|EMBED|APPLET|BASE|FRAMESET|PLAINTEXT|MARQUEE)$/.test(element.tagName))
                    problems.push('an element: ' + element.outerHTML.slice(0, 90));
            }
            const own = location.origin;
            for (const link of document.querySelectorAll('a[href], area[href]')) {
                if (!/^(https?|mailto|tel|blob):$/.test(link.protocol))
                    problems.push('a link: ' + link.getAttribute('href').slice(0, 90));
                if (/[\\u0000-\\u001f\\u202a-\\u202e\\u2066-\\u2069]/.test(link.getAttribute('href')))
                    problems.push('controls in a link: ' + link.getAttribute('href').slice(0, 90));
                if (link.origin !== own && /^https?:$/.test(link.protocol) && !/noopener/.test(link.rel))
                    problems.push('a link without noopener: ' + link.href.slice(0, 90));
            }
            for (const image of document.querySelectorAll('img, audio, video, source'))
                for (const name of ['src', 'srcset', 'poster'])
                    if (image.getAttribute(name) && !/^blob:/.test(image.getAttribute(name))
                        && new URL(image.getAttribute(name), location).origin !== own)
                        problems.push('a foreign source: ' + image.outerHTML.slice(0, 90));
            for (const form of document.forms)
                if (new URL(form.getAttribute('action') || '', location).origin !== own)
                    problems.push('a form: ' + form.outerHTML.slice(0, 90));
            for (const script of document.querySelectorAll('script'))
                if (script.type !== 'application/json' && new URL(script.src, location).origin !== own)
                    problems.push('a script: ' + script.outerHTML.slice(0, 90));
            for (const id of ['rows', 'composer', 'text', 'chat'])
                if (document.querySelectorAll('#' + id).length !== 1) problems.push('not exactly one #' + id);
            if (document.documentElement.scrollWidth > innerWidth + 1)
                problems.push(`the page is ${document.documentElement.scrollWidth} px wide`);
            return problems.slice(0, 20);
        }""")
        self.assertEqual(found, [])

    def test_nothing_from_a_message_is_executed(self):
        screen = self.open()
        shown, refused = {}, []
        for text in CONTENTS:
            try:
                shown[self.operator.say(self.user, **self.carriers(text))] = text
            except Failed:
                refused.append(text)
        self.assertGreaterEqual(len(shown), 200, f"the server refuses too many contents: {refused}")
        # The last rows have arrived when a later, harmless one has.
        screen.wait_row(self.operator.say(self.user, "The end of the list"), timeout=30_000)
        texts = {row["id"]: row["text"] for row in screen.rows()}
        self.assertEqual([text for id, text in shown.items() if id not in texts], [], "a content has no row")
        for id, text in shown.items():
            if text in MARKUP and not CONTROLS.search(text):
                self.assertEqual(" ".join(texts[id].split()), " ".join(text.split()))
        self.check(screen)
        # The HTML of the server has the same contents.
        screen.page.reload()
        screen.ready()
        screen.wait_text("The end of the list")
        self.check(screen)
        screen.send("Still works")
        print(f"     {len(shown)} hostile contents shown, {len(refused)} refused by the server", flush=True)

    def test_nothing_from_a_file_name_is_executed(self):
        screen = self.open()
        stored = self.server.upload(
            self.user, "x.png", "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg' onload='hacked(1)'>"
            b"<script>parent.hacked(1)</script></svg>")
        sent = 0
        for start in range(0, len(CONTENTS), 20):
            files = [{"id": f"a-{start + n}", "result": stored["result"], "name": text[:200], "type": kind, "size": 9,
                      "state": "READY"}
                     for n, (text, kind) in enumerate(zip(CONTENTS[start:start + 20], [
                         "image/svg+xml", "text/html", "image/png", "application/xhtml+xml", "text/xml",
                         "audio/ogg", "x\"><img src=x onerror=hacked(1)>", "application/pdf"] * 3))]
            try:
                self.operator.say(self.user, "Files", attachments=files)
                sent += len(files)
            except Failed:
                continue
        self.assertGreater(sent, 100)
        screen.wait_row(self.operator.say(self.user, "After the files"), timeout=30_000)
        self.check(screen)

    def test_nothing_from_notices_surveys_and_settings_is_executed(self):
        screen = self.open()
        screen.send("Hello")
        for text in self.random.sample(MARKUP, 25):
            self.operator.act(
                self.user, {"action": "join", "operator": {"name": text}},
                {"action": "announce", "notice": "AVERAGE_WAIT_TIME", "text": text},
                {"action": "announce", "notice": "THREAD_ENQUEUED", "text": text},
                {"action": "personalData", "text": text},
                {"action": "push", "keep": False, "content": {"type": "TYPING", "operatorName": text}},
                {"action": "push", "content": {"type": text[:100], "text": text, "display": True}},
                {"action": "survey", "survey": {"id": 1, "sendingId": 2, "questions": [
                    {"id": 3, "sendingId": 4, "text": text, "scale": 5}]}},
                {"action": "survey", "buttons": True, "survey": {"id": 5, "sendingId": 6, "questions": [
                    {"id": 7, "sendingId": 8, "text": text, "surveyViewType": "BUTTON",
                     "buttons": [{"text": text[:200], "value": "1"}]}]}})
        screen.wait_row(self.operator.say(self.user, "After the notices"), timeout=30_000)
        self.check(screen)

    def test_malformed_contents_leave_the_page_usable(self):
        screen = self.open()
        deep = value = {}
        for _ in range(40):
            value["x"] = {}
            value = value["x"]
        for content in (
                {"type": "MESSAGE", "text": 7}, {"type": "MESSAGE", "text": ["<b>"], "uuid": 12},
                {"type": "MESSAGE", "text": "a", "attachments": "x"}, {"type": "MESSAGE", "operator": [1, 2]},
                {"type": "MESSAGE", "text": "b", "quickReplies": [None, 1, {"text": None}, {"text": {}}]},
                {"type": "MESSAGE", "text": "c", "quotes": [{"type": 1}], "receivedDate": "yesterday"},
                {"type": "MESSAGE", "text": "d", "receivedDate": 1e300}, {"type": "MESSAGE", "text": "e", "deep": deep},
                {"type": "SURVEY", "content": {"questions": "none"}}, {"type": "SURVEY", "text": "{\"id\":"},
                {"type": "SURVEY", "content": {"id": 1, "questions": [{"id": 1, "scale": 10**12, "text": "huge"}]}},
                {"type": "MESSAGE_EDITED", "uuid": "nowhere", "text": "x"}, {"type": "MESSAGES_READ", "ids": [None, {}]},
                {"type": "ATTACHMENT_UPDATED", "uuid": "nowhere", "attachments": [{}]}, {"type": "SCHEDULE", "content": 1},
                {"type": ""}, {"type": "CLIENT_UNBLOCKED", "text": {"a": 1}}):
            try:
                self.operator.act(self.user, {"action": "push", "content": content})
            except Failed:
                continue
        screen.wait_row(self.operator.say(self.user, "After the malformed ones"), timeout=20_000)
        self.check(screen)
        screen.send("Still works")

    def test_buttons_with_hostile_urls_do_nothing_harmful(self):
        screen = self.open()
        for link in [link for link in LINKS if "evil" not in link and not link.startswith(("http", "tel", "["))][:12]:
            try:
                message = self.operator.say(self.user, "Press", quickReplies=[
                    {"id": "q", "type": "URL", "text": "Click here", "url": link}])
            except Failed:
                continue
            row = screen.wait_row(message)
            button = row.locator(".quick button, .quick a")
            if button.count():
                button.first.click()
        self.check(screen)
        self.assertTrue(screen.page.url.startswith(screen.process.origin))

    def test_own_hostile_texts_are_shown_as_text(self):
        screen = self.open()
        for text in self.random.sample([text for text in MARKUP if not CONTROLS.search(text)], 12):
            screen.send(text)
        self.check(screen)

    def test_a_bidi_override_does_not_reach_its_neighbors(self):
        screen = self.open()
        message = self.operator.say(self.user, "\u202egnp.exe", operator={"name": "\u202eareV", "role": "OPERATOR"})
        row = screen.wait_row(message)
        isolated = row.locator(".text").evaluate("""(e) => { const style = getComputedStyle(e);
            return style.display !== 'inline' || /isolate|plaintext/.test(style.unicodeBidi) }""")
        self.assertTrue(isolated)
        time = row.locator(".meta time").inner_text()
        self.assertRegex(time, r"\d")
