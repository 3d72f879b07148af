"""The search, and the surroundings of a result."""

from harness import PageCase


class Search(PageCase):
    def conversation(self):
        """A conversation that is longer than what the page loads by itself (200 messages)."""
        return self.known_client(messages=[
            f"message {number} about the {'needle' if number in (100, 350) else 'hay'}" for number in range(400)])

    def look_for(self, screen, text):
        """Opens the search and types a text."""
        screen.need("#search-toggle").click()
        field = screen.need("#search input")
        self.assertTrue(field.evaluate("(field) => document.activeElement === field"), "the field has the focus")
        field.fill(text)
        field.press("Enter")

    def test_a_result_opens_with_its_surroundings(self):
        ids = self.conversation()
        screen = self.open()
        screen.wait_row(ids[-1])
        self.assertEqual(screen.row(ids[100]).count(), 0)
        self.look_for(screen, "needle")
        screen.until("() => document.querySelectorAll('#search-results li button').length === 2", what="two results")
        # The newest result comes first.
        screen.page.locator("#search-results li button").nth(1).click()
        screen.need("#context")
        screen.need(f'#context-rows [data-id="{ids[100]}"]')
        around = "() => [...document.querySelectorAll('#context-rows li.row')].map((row) => row.dataset.id)"
        shown = screen.run(around)
        place = shown.index(ids[100])
        self.assertGreater(place, 0, "something older is shown")
        self.assertLess(place, len(shown) - 1, "something newer is shown")
        start = ids.index(shown[0])
        self.assertEqual(shown, ids[start:start + len(shown)], "the surroundings have no gaps")
        count = len(shown)
        newer = screen.need("#context-newer", "attached")
        newer.evaluate("(button) => button.click()")
        screen.until("(count) => document.querySelectorAll('#context-rows li.row').length > count", count, "newer rows")
        shown = screen.run(around)
        # The hit is far from the first message, so that the button for older ones is there.
        self.assertGreater(start, 0)
        count = len(shown)
        screen.need("#context-older").evaluate("(button) => button.click()")
        screen.until(
            "(count) => document.querySelectorAll('#context-rows li.row').length > count", count, "older rows")
        shown = screen.run(around)
        self.assertLess(ids.index(shown[0]), start, "older messages are shown")
        start = ids.index(shown[0])
        self.assertEqual(shown, ids[start:start + len(shown)], "the surroundings have no gaps")
        screen.need("#context-close").click()
        screen.gone("#context")
        focused = screen.run("() => document.activeElement?.tagName")
        self.assertNotEqual(focused, "BODY", "the focus returns")

    def test_a_result_that_the_page_has_is_scrolled_to(self):
        ids = self.known_client(messages=[f"message {n} about the {'needle' if n == 40 else 'hay'}" for n in range(100)])
        screen = self.open()
        screen.wait_row(ids[-1])
        screen.until("() => !document.querySelector('#load-older:disabled')", what="the history is loaded")
        self.look_for(screen, "needle")
        screen.need("#search-results li button").click()
        screen.until("""(id) => { const row = document.querySelector(`#rows [data-id="${id}"]`);
            const [box, view] = [row, document.querySelector('#scroll')].map((e) => e?.getBoundingClientRect());
            return row === document.activeElement && box.top >= view.top && box.bottom <= view.bottom }""",
            ids[40], "the result is in view and has the focus")

    def test_nothing_found_is_said(self):
        screen = self.open()
        screen.send("Something")
        self.look_for(screen, "unheard-of")
        screen.until("() => { const text = document.querySelector('#search')?.textContent ?? '';"
                     " return document.querySelectorAll('#search-results li button').length === 0"
                     " && /no |nothing|not found/i.test(text) }", what="the search says that nothing was found")

    def test_more_results(self):
        ids = self.known_client(messages=[f"same word {number}" for number in range(120)])
        screen = self.open()
        screen.wait_row(ids[-1])
        self.look_for(screen, "same")
        screen.until("() => document.querySelectorAll('#search-results li button').length > 0", what="results")
        count = screen.page.locator("#search-results li button").count()
        self.assertLess(count, 120, "the first page has not all results")
        # The number is the server's: it counts the results that are not loaded.
        self.assertEqual(screen.need("#search-status").inner_text().strip(), "120 results")
        while count < 120:
            screen.need("#search-more").click()
            screen.until("(count) => document.querySelectorAll('#search-results li button').length > count", count,
                         "more results")
            count = screen.page.locator("#search-results li button").count()
        screen.gone("#search-more")
        shown = screen.run("() => [...document.querySelectorAll('#search-results form')].map((form) => form.message.value)")
        self.assertEqual(sorted(shown), sorted(ids))
        self.assertEqual(screen.need("#search-status").inner_text().strip(), "120 results")

    def test_the_local_search_says_that_it_is_local(self):
        screen = self.open()
        screen.send("Kept here: needle")
        self.operator.act(None, {"action": "fault", "fault": "failCall", "call": "search", "status": 503, "times": 5})
        self.look_for(screen, "needle")
        screen.until("() => document.querySelectorAll('#search-results li button').length === 1", what="one result")
        status = screen.need("#search-status")
        self.assertIn("Only messages on this device were searched", status.inner_text())
        # The reason follows: the server refused the search.
        self.assertIn("503", status.locator(".detail").inner_text())

    def test_the_search_of_the_server_has_no_note(self):
        screen = self.open()
        screen.send("On the server: needle")
        self.look_for(screen, "needle")
        screen.until("() => document.querySelector('#search-status')?.textContent.trim() === '1 result'",
                     what="the number of results, without a note")
        self.assertEqual(screen.page.locator("#search-status .detail").count(), 0)

    def test_escape_closes_the_search_and_the_focus_returns(self):
        screen = self.open()
        self.look_for(screen, "x")
        screen.page.keyboard.press("Escape")
        screen.gone("#search input")
        self.assertEqual(screen.run("() => document.activeElement?.id"), "search-toggle")
