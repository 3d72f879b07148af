"""The report desk of the collector."""

import json
import random
import re
import uuid

from harness import Screen, Suite
from hostile import MARKUP
from processes import ReportCollector, make_chain, make_staged_bundle
from test_accessibility import APPEARANCES, SIZES, ZOOMED, Checks, violations

PAGES = ("/desk/incidents", "/desk/incidents/1", "/desk/reports/1", "/desk/roll-outs")


class ReportDeskCase(Checks):
    def setUp(self):
        # The desk needs no development server of the chat.
        self.name = self.id().split(".", 1)[-1] if "." in self.id() else self.id()
        self.random = Suite.random(self.id())
        self.guards, self.processes, self.screens = [], [], []
        self.chain = make_chain(Suite.folder(), "api.example.com")
        self.collector = ReportCollector(Suite.binary, Suite.folder(), **self.collector_options())

    def collector_options(self):
        """The options of the collector."""
        return {}

    def tearDown(self):
        try:
            super().tearDown()
        finally:
            self.collector.stop()

    def installation(self):
        """A random installation, the same in each run with one seed."""
        return str(uuid.UUID(int=self.random.getrandbits(128)))

    def reports(self, count=1, **options):
        """Posts reports of different installations."""
        chain = options.pop("chain", self.chain)
        for _ in range(count):
            self.collector.report(chain, installation=self.installation(), **options)

    def desk(self, path="/desk/incidents", name="Ada", **options):
        """Opens a page of the desk, signed in with the address that the collector printed."""
        context = self.context(**options)
        context.guard.origins.add(self.collector.url)
        page = context.new_page()
        screen = Screen(self, page)
        self.screens.append(screen)
        page.goto(self.collector.desk_url)
        page.locator("input[name=name]").fill(name)
        page.keyboard.press("Enter")
        screen.need("#overview")
        if path != "/desk/incidents":
            page.goto(self.collector.url + path)
            screen.need("#main h1")
        return screen


class ReportDesk(ReportDeskCase):
    def collector_options(self):
        # The desk drafts a policy only for a certificate of a public authority.
        return {"authority": self.chain[1]}

    def test_reports_become_one_incident_with_a_cause(self):
        self.reports(3)
        desk = self.desk()
        row = desk.need('#incidents tbody tr[data-id="1"]')
        self.assertIn("api.example.com", row.inner_text())
        self.assertIn("com.example.shop", row.inner_text())
        row.locator("a").click()
        desk.need("#diagnosis .diagnosis h3")
        self.assertEqual(desk.need("#count").inner_text(), "3")
        self.assertEqual(desk.page.locator("#chain .certificate").count(), 2)
        self.assertIn("holdfast probe api.example.com", desk.need("#probe").inner_text())
        self.assertEqual(desk.page.locator("#numbers svg[role=img] title").count(), 1)

    def test_a_change_of_the_state_is_in_the_history(self):
        self.reports()
        desk = self.desk("/desk/incidents/1", name="Grace")
        desk.need("#acknowledged").click()
        desk.until("() => document.querySelector('#state')?.textContent === 'acknowledged'", what="the state")
        self.assertIn("Grace", desk.need("#history").inner_text())
        self.assertEqual(desk.page.locator("#acknowledged").count(), 0)
        desk.need("#resolved").click()
        desk.until("() => document.querySelector('#state')?.textContent === 'resolved'", what="the state")

    def test_the_list_is_filtered(self):
        self.reports()
        self.reports(host="www.example.org", app="com.example.other")
        desk = self.desk()
        desk.need("#filter-host").fill("www.example.org")
        desk.page.keyboard.press("Enter")
        desk.until("() => document.querySelectorAll('#incidents tbody tr').length === 1", what="one incident")
        self.assertIn("www.example.org", desk.need("#incidents tbody").inner_text())
        self.assertIn("host=www.example.org", desk.page.locator(".exports a").first.get_attribute("href"))
        desk.need("#filter-host").fill("not a host")
        desk.page.keyboard.press("Enter")
        desk.need("#notice")
        self.assertEqual(desk.page.locator("#incidents").count(), 0)

    def test_the_page_follows_new_reports_and_keeps_the_focus(self):
        self.reports()
        desk = self.desk("/desk/incidents/1")
        desk.need("#probe").focus()
        desk.page.locator("#numbers summary").click()
        desk.need("#probe").focus()
        self.reports(2)
        desk.until("() => document.querySelector('#count')?.textContent === '3'", what="the new count", timeout=20_000)
        self.assertEqual(desk.run("() => document.activeElement.id"), "probe")
        self.assertTrue(desk.run("() => document.querySelector('#numbers details').open"))

    def test_everything_works_without_javascript(self):
        self.reports()
        desk = self.desk(java_script_enabled=False)
        desk.page.locator("#incidents tbody a").first.click()
        desk.page.locator("#acknowledged").click()
        desk.page.wait_for_load_state()
        self.assertEqual(desk.page.locator("#state").inner_text(), "acknowledged")
        desk.page.locator("#numbers summary").click()
        self.assertTrue(desk.page.locator("#numbers table").is_visible())
        desk.page.goto(self.collector.url + "/desk/reports/1")
        self.assertEqual(desk.page.locator(".certificate").count(), 2)
        desk.page.get_by_role("button", name="Sign out").click()
        desk.page.wait_for_load_state()
        self.assertIn("/desk/sign-in", desk.page.url)

    def test_the_draft_and_the_exports_are_files(self):
        self.reports()
        desk = self.desk("/desk/incidents/1")
        with desk.page.expect_download() as download:
            desk.need("#draft").click()
        policy = json.loads(open(download.value.path()).read())
        self.assertEqual(policy["holdfast"], 1)
        self.assertEqual(len(policy["domains"][0]["pins"]), 3)
        desk.page.goto(self.collector.url + "/desk/incidents")
        with desk.page.expect_download() as download:
            desk.page.get_by_role("link", name="CSV").click()
        self.assertIn("api.example.com", open(download.value.path()).read())

    def test_only_by_keyboard(self):
        self.reports()
        desk = self.desk()
        keyboard = desk.page.keyboard
        desk.run("() => document.body.focus()")
        keyboard.press("Tab")
        self.assertEqual(desk.run("() => document.activeElement.className"), "skip")
        keyboard.press("Enter")
        for _ in range(20):
            keyboard.press("Tab")
            if desk.run("() => document.activeElement.matches('#incidents tbody a')"):
                break
        keyboard.press("Enter")
        desk.need("#diagnosis")
        for _ in range(20):
            keyboard.press("Tab")
            if desk.run("() => document.activeElement.id === 'acknowledged'"):
                break
        keyboard.press("Enter")
        desk.until("() => document.querySelector('#state')?.textContent === 'acknowledged'", what="the state")


class ReportDeskAccessibility(ReportDeskCase):
    def collector_options(self):
        # The page of roll-outs shows a table.
        bundle = make_staged_bundle(Suite.binary, Suite.folder(), "api.example.com", "com.example.shop")
        return {"options": ["--rollout", f"{bundle}=100000"]}

    def check_left_to_right(self, page, zoomed=False):
        """Runs axe in every appearance and size, on request also at 400 %. The desk is in English only."""
        found = []
        for size, viewport in (SIZES | ({"400 %": ZOOMED} if zoomed else {})).items():
            page.set_viewport_size(viewport)
            for name, media in APPEARANCES.items():
                page.emulate_media(**{"color_scheme": "light", "forced_colors": "none", "contrast": "no-preference",
                                      "reduced_motion": "reduce", **media})
                found += [f"{name}, {size}: {line}" for line in violations(page)]
            wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            if wide > 1:
                found.append(f"{size}: the page is {wide} px too wide")
        self.assertEqual(found[:12], [], f"{len(found)} violations")

    def test_axe_on_every_page(self):
        for version in range(15):
            self.reports(version="1." + "9" * version, platform="IOS" if version % 2 else "ANDROID")
        desk = self.desk()
        for path in PAGES:
            with self.subTest(path=path):
                desk.page.goto(self.collector.url + path)
                desk.run("() => document.querySelectorAll('details').forEach((element) => { element.open = true })")
                if path == "/desk/roll-outs":
                    self.assertEqual(desk.page.locator(".rollout tbody tr").count(), 3)
                self.check_left_to_right(desk.page, zoomed=True)
                self.assertEqual(self.targets(desk.page), [])

    def test_axe_without_reports_and_without_a_session(self):
        desk = self.desk()
        self.check_left_to_right(desk.page)
        desk.page.goto(self.collector.url + "/desk/nothing")
        desk.need("#refusal")
        self.check_left_to_right(desk.page)
        desk.page.goto(self.collector.url + "/desk/incidents")
        desk.page.get_by_role("button", name="Sign out").click()
        desk.need("#sign-in")
        self.check_left_to_right(desk.page)


class ReportDeskHostile(ReportDeskCase):
    def test_hostile_texts_of_reports_are_text(self):
        texts = random.Random(Suite.seed).sample(MARKUP, 12)
        for text in texts:
            plain = re.sub(r"[\x00-\x1f\x7f]", " ", text)[:200]
            self.reports(app=plain, version=plain, platform=plain)
        desk = self.desk()
        self.assertEqual(desk.page.locator("#incidents tbody tr").count(), len(set(texts)))
        for number in range(1, len(texts) + 1):
            desk.page.goto(f"{self.collector.url}/desk/incidents/{number}")
            desk.need("#diagnosis")
            desk.page.goto(f"{self.collector.url}/desk/reports/{number}")
            desk.need("#main h1")
        # The guard of the page fails the test if anything was executed or requested.

    def test_hostile_certificates_are_text(self):
        hostile = "<img src=x onerror=hacked(1)>"
        chain = make_chain(Suite.folder(), "api.example.com", root=hostile, names=[hostile, "=cmd|calc"])
        self.reports(chain=chain)
        desk = self.desk("/desk/incidents/1")
        self.assertEqual(desk.page.locator("#main img").count(), 0)
        self.assertIn(hostile, desk.need("#chain").inner_text())

    def test_a_csv_contains_no_formula(self):
        for app in ("=1+1", "+1", "-1", "@SUM(A1)"):
            self.reports(app=app)
        desk = self.desk()
        text = desk.run("() => fetch('/desk/incidents.csv').then((answer) => answer.text())")
        for line in text.splitlines()[1:]:
            for cell in re.findall(r'"(?:[^"]|"")*"|[^,]+', line):
                self.assertNotRegex(cell, r'^"?[=+\-@\t\r]')


class ReportDeskSecurity(ReportDeskCase):
    TOKEN = "browser-test-token-0123456789"

    def collector_options(self):
        return {"token": self.TOKEN}

    def desk(self, path="/desk/incidents", name="Ada", **options):
        context = self.context(**options)
        context.guard.origins.add(self.collector.url)
        page = context.new_page()
        screen = Screen(self, page)
        self.screens.append(screen)
        page.goto(self.collector.desk_url)
        page.locator("input[name=name]").fill(name)
        page.locator("input[name=token]").fill(self.TOKEN)
        page.keyboard.press("Enter")
        screen.need("#overview")
        return screen

    def test_the_address_contains_no_secret_if_there_is_a_token(self):
        self.assertEqual(self.collector.desk_url, self.collector.url + "/desk")

    def test_without_a_sign_in_nothing_is_served(self):
        self.reports()
        for path in (*PAGES, "/desk/events", "/desk/incidents.json", "/desk/incidents/1/policy-draft.json"):
            status, headers, text = self.collector.call("GET", path)
            self.assertIn(status, (303, 401), path)
            self.assertNotIn("api.example.com", text)
            self.assertNotIn("unsafe", headers["Content-Security-Policy"])

    def test_cookies_are_private_and_a_forged_form_is_refused(self):
        self.reports()
        desk = self.desk()
        cookies = desk.page.context.cookies()
        self.assertEqual(len(cookies), 1)
        self.assertTrue(cookies[0]["httpOnly"])
        self.assertEqual(cookies[0]["sameSite"], "Strict")
        cookie = f"{cookies[0]['name']}={cookies[0]['value']}"
        for headers in ({}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            status, _, _ = self.collector.call("POST", "/desk/incidents/1/state", "state=resolved", {
                "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", **headers})
            self.assertEqual(status, 403)

    def test_a_page_of_an_ended_session_says_so(self):
        first = self.desk()
        page = first.page.context.new_page()
        page.goto(self.collector.url + "/desk/incidents")
        page.get_by_role("button", name="Sign out").click()
        first.need("#ended", timeout=20_000)
