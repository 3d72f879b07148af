"""Accessibility: axe on every page and in every appearance, targets, focus, and a conversation by keyboard alone."""

from axe_playwright_python.sync_playwright import Axe

from harness import PageCase
from test_files import png

OPTIONS = {"resultTypes": ["violations"], "runOnly": {
    "type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}

APPEARANCES = {
    "light": {"color_scheme": "light"}, "dark": {"color_scheme": "dark"},
    "forced colors": {"forced_colors": "active"}, "more contrast": {"contrast": "more"}}

SIZES = {"900 px": {"width": 900, "height": 720}, "320 px": {"width": 320, "height": 640}}
# 1280 × 1024 px at 400 % are 320 × 256 CSS px at four device pixels each.
ZOOMED = {"width": 320, "height": 256}


def violations(page):
    """Runs axe, and returns a line for each element of each violation."""
    result = Axe().run(page, options=OPTIONS).response
    return [f"{violation['id']}: {' '.join(node['target'][0]) if isinstance(node['target'][0], list) else node['target'][0]}"
            f" — {node.get('failureSummary', '').splitlines()[-1].strip()}"
            for violation in result["violations"] for node in violation["nodes"]]


class Checks(PageCase):
    def check_everywhere(self, page, sizes=SIZES, appearances=APPEARANCES):
        """Runs axe in every appearance, direction and size."""
        found = []
        for size, viewport in sizes.items():
            page.set_viewport_size(viewport)
            for direction in ("ltr", "rtl"):
                page.evaluate("(direction) => { document.documentElement.dir = direction }", direction)
                for name, media in appearances.items():
                    page.emulate_media(**{"color_scheme": "light", "forced_colors": "none", "contrast": "no-preference",
                                          "reduced_motion": "reduce", **media})
                    found += [f"{name}, {direction}, {size}: {line}" for line in violations(page)]
                wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
                if wide > 1:
                    found.append(f"{direction}, {size}: the page is {wide} px too wide")
        self.assertEqual(found[:12], [], f"{len(found)} violations")

    def targets(self, page):
        """Returns the controls that are smaller than 24 px, except links within a text (WCAG 2.5.8)."""
        return page.evaluate("""() => [...document.querySelectorAll('button, a[href], input, select, textarea, summary')]
            .filter((element) => {
                // A hidden field with a label of its own, such as that of a file, is reached by the label.
                const target = element.labels?.[0] && getComputedStyle(element).opacity === '0' ? element.labels[0]
                    : element;
                const box = target.getBoundingClientRect();
                const style = getComputedStyle(target);
                if (!box.width || !box.height || style.visibility === 'hidden') return false;
                if (box.width <= 1 || box.height <= 1) return false;
                if (element.type === 'radio' || element.type === 'checkbox') {
                    const label = element.labels?.[0]?.getBoundingClientRect();
                    if (label && label.width >= 24 && label.height >= 24) return false;
                }
                if (element.tagName === 'A' && element.closest('.text')) return false;
                return box.width < 24 || box.height < 24;
            }).map((element) => `${element.outerHTML.slice(0, 80)} ${element.getBoundingClientRect().width}×`
                + element.getBoundingClientRect().height)""")


class ChatPage(Checks):
    def rich_screen(self, **options):
        """A page with every kind of row."""
        screen = self.open(**options)
        screen.send("Good morning, I have a question about https://example.com/order")
        picture = self.server.upload(self.user, "cat.png", "image/png", png())
        document = self.server.upload(self.user, "terms.txt", "text/plain", b"Terms")
        self.operator.act(
            self.user, {"action": "join", "operator": {"name": "Vera", "gender": "FEMALE", "role": "OPERATOR"}},
            {"action": "say", "text": "Good morning", "operator": {"name": "Vera"}, "attachments": [picture, document]},
            {"action": "say", "text": "A quote", "quotes": [{"type": "MESSAGE", "uuid": "q", "text": "Good morning"}]},
            {"action": "survey", "survey": {"id": 1, "sendingId": 2, "questions": [
                {"id": 3, "sendingId": 4, "text": "How was it?", "scale": 5},
                {"id": 5, "sendingId": 6, "text": "Helpful?", "simple": True}]}})
        last = self.operator.say(self.user, "Anything else?", quickReplies=[
            {"id": "q-1", "type": "TEXT", "text": "Yes"}, {"id": "q-2", "type": "TEXT", "text": "No"}])
        screen.wait_row(last)
        screen.need(".quick button")
        return screen

    def test_axe_on_a_whole_conversation(self):
        screen = self.rich_screen()
        self.check_everywhere(screen.page)

    def test_axe_on_the_search_its_surroundings_and_chosen_files(self):
        # A result among the messages that the page has would be scrolled to, without its surroundings.
        ids = self.known_client(messages=[f"message {n} {'needle' if n == 50 else ''}" for n in range(400)])
        screen = self.open()
        screen.wait_row(ids[-1])
        for name in ("note.txt", "bad.exe"):
            screen.need("#file", "attached").set_input_files([
                {"name": name, "mimeType": "text/plain", "buffer": b"x"}])
        screen.need(".limit-error")
        screen.need("#search-toggle").click()
        screen.need("#search input").fill("needle")
        screen.page.keyboard.press("Enter")
        screen.need("#search-results li button")
        self.check_everywhere(screen.page, {"900 px": SIZES["900 px"]}, {"light": APPEARANCES["light"],
                                                                        "dark": APPEARANCES["dark"]})
        screen.page.locator("#search-results li button").first.click()
        screen.need("#context-rows li.row")
        self.check_everywhere(screen.page, {"320 px": SIZES["320 px"]}, {"light": APPEARANCES["light"],
                                                                        "dark": APPEARANCES["dark"]})

    def test_axe_with_banners_and_stale(self):
        screen = self.open_with_clock()
        self.operator.act(None, {"action": "fault", "fault": "refuseUpgrade", "status": 503, "times": 20},
                          {"action": "cut"})
        screen.need("#banners .banner")
        screen.process.child.pause()
        screen.skip(25_000)
        screen.need("#stale")
        self.check_everywhere(screen.page, {"900 px": SIZES["900 px"]})
        screen.process.child.go_on()

    def test_axe_on_the_refusal(self):
        process = self.page_process()
        screen = self.tab(process, self.context(), process.origin + process.path)
        screen.need("h1")
        self.check_everywhere(screen.page)

    def test_targets_are_large_enough(self):
        screen = self.rich_screen()
        self.assertEqual(self.targets(screen.page), [])
        screen.page.set_viewport_size(SIZES["320 px"])
        self.assertEqual(self.targets(screen.page), [])

    def test_the_page_fits_400_percent(self):
        screen = self.rich_screen(viewport=ZOOMED, device_scale_factor=4)
        self.assertLessEqual(screen.run("() => document.documentElement.scrollWidth"), 321)
        screen.need("#text").scroll_into_view_if_needed()
        screen.send("Still usable")
        visible = screen.run("""() => { const box = document.querySelector('#text').getBoundingClientRect();
            return box.width > 60 && box.left >= -1 && box.right <= innerWidth + 1 }""")
        self.assertTrue(visible)
        self.check_everywhere(screen.page, {"400 %": ZOOMED})

    def test_a_whole_conversation_by_keyboard_alone(self):
        screen = self.open()
        keyboard = screen.page.keyboard

        def tab_to(test, key="Tab", limit=60):
            for _ in range(limit):
                if screen.run(test):
                    return
                keyboard.press(key)
            self.fail(f"no {key} reaches {test}; the focus is on "
                      + str(screen.run("() => document.activeElement?.outerHTML.slice(0, 120)")))

        tab_to("() => document.activeElement?.id === 'text'")
        visible = screen.run("""() => { const style = getComputedStyle(document.activeElement);
            return style.outlineStyle !== 'none' || style.boxShadow !== 'none' }""")
        self.assertTrue(visible, "the focus is visible")
        keyboard.type("By keyboard")
        keyboard.press("Enter")
        screen.wait_state(screen.wait_text("By keyboard", "me"), "sent", "delivered", "read")
        self.assertEqual(screen.run("() => document.activeElement?.id"), "text", "the focus stays in the field")
        message = self.operator.say(self.user, "Continue?", quickReplies=[{"id": "q", "type": "TEXT", "text": "Yes"}])
        screen.wait_row(message)
        screen.need(".quick button")
        tab_to("() => document.activeElement?.matches('.quick button')", "Shift+Tab")
        keyboard.press("Enter")
        screen.wait_state(screen.wait_text("Yes", "me"), "sent", "delivered", "read")
        self.assertNotEqual(screen.run("() => document.activeElement?.tagName"), "BODY", "the focus is not lost")
        tab_to("() => document.activeElement?.matches('button.reply')", "Shift+Tab")
        keyboard.press("Enter")
        screen.need("#quote")
        tab_to("() => document.activeElement?.id === 'text'")
        keyboard.type("A reply")
        keyboard.press("Enter")
        screen.wait_text("A reply", "me")
        self.operator.act(self.user, {"action": "survey", "survey": {"id": 1, "sendingId": 2, "questions": [
            {"id": 3, "sendingId": 4, "text": "How was it?", "scale": 5}]}})
        screen.need('[id^="survey-"]')
        tab_to("() => document.activeElement?.closest('[id^=\"survey-\"]') !== null", "Shift+Tab")
        if screen.run("() => document.activeElement.type === 'radio'"):
            keyboard.press("Space")
            keyboard.press("ArrowRight")
            if screen.page.locator('[id^="survey-"] .submit').count():
                tab_to("() => document.activeElement?.matches('[id^=\"survey-\"] .submit')")
                keyboard.press("Enter")
        else:
            keyboard.press("Enter")
        self.poll(lambda: any("SURVEY_" in m["content"].get("type", "") and "ANSWER" in m["content"]["type"]
                              for m in self.operator.messages(self.user)), "the answer to the survey")
        tab_to("() => document.activeElement?.id === 'search-toggle'", "Shift+Tab")
        keyboard.press("Enter")
        screen.until("() => document.activeElement?.matches('#search input')", what="the search has the focus")
        keyboard.press("Escape")
        screen.until("() => document.activeElement?.id === 'search-toggle'", what="the focus returns")

    def test_the_page_has_landmarks_names_and_a_language(self):
        screen = self.open()
        facts = screen.run("""() => ({ lang: document.documentElement.lang, main: document.querySelectorAll('main').length,
            headings: document.querySelectorAll('h1').length, log: document.querySelector('#rows').getAttribute('role'),
            label: document.querySelector('#text').labels?.length || document.querySelector('#text').ariaLabel,
            status: document.querySelector('#banners').getAttribute('role') })""")
        self.assertEqual((facts["main"], facts["headings"], facts["log"], facts["status"]), (1, 1, "log", "status"))
        # The region, if there is one, is that of the system.
        self.assertRegex(facts["lang"], "^en(-[A-Z]{2})?$")
        self.assertTrue(facts["label"])

    def test_reduced_motion_is_respected(self):
        screen = self.open(reduced_motion="reduce")
        message = self.operator.say(self.user, "Calm")
        screen.wait_row(message)
        self.assertEqual(screen.run("() => document.getAnimations().filter((a) => a.playState === 'running').length"), 0)
