#!/usr/bin/env python3
"""Makes the pictures in docs/images from the real pages.

    screenshots.py --holdfast .build/debug/holdfast [--only chat-page-light] [--folder docs/images]
"""

import argparse
import base64
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from harness import Suite, Screen  # noqa: E402
from processes import Failed, PageProcess, ReportCollector, make_chain, make_staged_bundle, poll  # noqa: E402
from test_files import png  # noqa: E402

LARGEST = 150 * 1024


def pin_of(certificate):
    """Returns the pin of a certificate's key, in base64."""
    public = subprocess.run(
        ["openssl", "x509", "-noout", "-pubkey"], input=certificate.encode(), check=True, capture_output=True).stdout
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-outform", "DER"], input=public, check=True, capture_output=True).stdout
    return base64.b64encode(hashlib.sha256(der).digest()).decode()


class Studio:
    """A conversation that looks like a real one, and the pages that show it."""

    def __init__(self, options):
        self.folder = pathlib.Path(options.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.only = options.only
        self.server = Suite.new_server(patch={"channelConfig": {"voiceRecordingEnabled": True}})
        self.operator = self.server.operator
        self.count = 0

    def wants(self, name):
        """Whether a picture is asked for."""
        return not self.only or name in self.only

    def open(self, user="ada", name="Ada", server=None, language=None, **options):
        """Opens the page of a new user."""
        self.count += 1
        words = []
        option = PageProcess.option(Suite.binary, "--language", "--locale")
        if language and option:
            words = [option, language]
        process = PageProcess(
            Suite.binary, Suite.folder(), server or self.server, f"{user}-{self.count}", name=name, options=words)
        options.setdefault("viewport", {"width": 760, "height": 720})
        context = Suite.browser().new_context(
            locale="en-US", timezone_id="UTC", reduced_motion="reduce", **options)
        screen = Screen(None, context.new_page(), process)
        screen.page.goto(process.url)
        screen.user = process.user
        return screen.ready()

    def talk(self, screen, lines=None):
        """Plays a conversation."""
        vera = {"id": "o-1", "name": "Vera", "gender": "FEMALE", "role": "OPERATOR"}
        for author, text in lines or [
                ("me", "Good morning. My order 4711 was to arrive yesterday."),
                ("join", vera), ("other", "Good morning! I will look it up: https://shop.example/orders/4711"),
                ("me", "Thank you."), ("other", "It left our warehouse this morning and arrives tomorrow before noon."),
                ("me", "Can it be left with a neighbor?")]:
            if author == "me":
                screen.send(text)
            elif author == "join":
                self.operator.act(screen.user, {"action": "join", "operator": text})
            else:
                screen.wait_row(self.operator.say(screen.user, text, operator=vera))
        self.operator.act(screen.user, {"action": "read"})
        return vera

    def shoot(self, screen, name):
        """Takes the picture, and checks its size."""
        screen.run("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        screen.page.mouse.move(0, 0)
        path = self.folder / f"{name}.png"
        screen.page.screenshot(path=str(path), animations="disabled", caret="hide", scale="css")
        size = path.stat().st_size
        print(f"{path} {size // 1024} KiB", flush=True)
        if size > LARGEST:
            raise Failed(f"{path} has {size} bytes, and at most {LARGEST} are allowed")
        screen.page.context.close()
        if screen.process:
            screen.process.child.kill()

    # MARK: Pictures

    def chat_page_light(self, name="chat-page-light", **options):
        """A conversation with quick replies."""
        screen = self.open(**{"color_scheme": "light", **options})
        vera = self.talk(screen)
        message = self.operator.say(screen.user, "Yes. Who should take it?", operator=vera, quickReplies=[
            {"id": "1", "type": "TEXT", "text": "A neighbor"}, {"id": "2", "type": "TEXT", "text": "The shop next door"}])
        screen.wait_row(message)
        screen.need(".quick button")
        self.operator.act(screen.user, {"action": "type"})
        self.shoot(screen, name)

    def chat_page_dark(self):
        """The same in the dark theme."""
        self.chat_page_light("chat-page-dark", color_scheme="dark")

    def chat_page_rtl(self):
        """The page from right to left."""
        screen = self.open(name="עדה", language="he")
        self.talk(screen, [
            ("me", "בוקר טוב. ההזמנה שלי 4711 לא הגיעה."), ("join", {"name": "Vera", "role": "OPERATOR"}),
            ("other", "בוקר טוב! אני בודקת."), ("me", "תודה רבה."), ("other", "החבילה תגיע מחר לפני הצהריים.")])
        screen.right_to_left()
        self.shoot(screen, "chat-page-rtl")

    def chat_page_mobile(self):
        """The page on a small screen."""
        self.chat_page_light("chat-page-mobile", viewport={"width": 360, "height": 640})

    def chat_page_survey(self):
        """A survey with two questions."""
        screen = self.open()
        self.talk(screen)
        self.operator.act(screen.user, {"action": "survey", "survey": {"id": 1, "sendingId": 2, "questions": [
            {"id": 3, "sendingId": 4, "text": "How satisfied are you with the answer?", "scale": 5,
             "clientCommentThreshold": 3},
            {"id": 5, "sendingId": 6, "text": "How friendly were we?", "scale": 5}]}})
        survey = screen.need('[id^="survey-"]')
        survey.scroll_into_view_if_needed()
        self.shoot(screen, "chat-page-survey")

    def chat_page_files(self):
        """Received files, and one that is chosen."""
        screen = self.open()
        vera = self.talk(screen, [("me", "Could you send me the invoice?"), ("join", {"name": "Vera"})])
        invoice = self.server.upload(screen.user, "invoice-4711.pdf", "application/pdf", b"%PDF-1.4 " + bytes(30_000))
        photo = self.server.upload(screen.user, "package.png", "image/png", png(320, 200, (196, 164, 120)))
        screen.wait_row(self.operator.say(
            screen.user, "Here it is, with a picture of the package.", operator=vera, attachments=[invoice, photo]))
        screen.until("() => [...document.querySelectorAll('.file img')].every((i) => i.complete && i.naturalWidth)")
        for name, kind, data in (("signature.png", "image/png", png(80, 40, (60, 90, 160))),
                                 ("setup.exe", "application/octet-stream", b"x")):
            screen.need("#file", "attached").set_input_files([{"name": name, "mimeType": kind, "buffer": data}])
        screen.need(".limit-error")
        self.shoot(screen, "chat-page-files")

    def chat_page_search(self):
        """The results of a search."""
        screen = self.open()
        self.talk(screen)
        screen.need("#search-toggle").click()
        screen.need("#search input").fill("order")
        screen.page.keyboard.press("Enter")
        screen.need("#search-results li button")
        self.shoot(screen, "chat-page-search")

    def chat_page_attack(self):
        """A server with another key is refused; the message waits."""
        server = Suite.new_server()
        mine, self.server, self.operator = self.server, server, server.operator
        screen = self.open(server=server)
        self.talk(screen)
        server.operator.act(None, {"action": "identity", "scenario": "newKeySameAuthority"}, {"action": "cut"})
        screen.until("() => document.body.dataset.connection !== 'ready'")
        screen.need("#banners .banner")
        screen.write("This message is for you only.")
        screen.wait_text("This message is for you only.", "me")
        screen.until("() => /pin|key|certificate|trust/i.test(document.querySelector('#banners').textContent)")
        self.shoot(screen, "chat-page-attack")
        self.server, self.operator = mine, mine.operator
        server.stop()

    def operator_desk(self):
        """The desk with several conversations."""
        server = Suite.new_server()
        mine, self.server, self.operator = self.server, server, server.operator
        screens = []
        for name, text in (("Ben", "Do you ship to Iceland?"), ("Chloé", "The coupon does not work."),
                           ("Ada", "Good morning. My order 4711 was to arrive yesterday.")):
            screen = self.open(name.lower().replace("é", "e"), name)
            screen.send(text)
            screens.append(screen)
        url = server.desk_url
        context = Suite.browser().new_context(
            ignore_https_errors=True, viewport={"width": 1080, "height": 680}, locale="en-US", timezone_id="UTC")
        desk = Screen(None, context.new_page())
        desk.page.goto(url)
        desk.page.locator("input[name=name]").fill("Vera")
        desk.page.locator("input[name=token]").fill(server.operator_token)
        desk.page.keyboard.press("Enter")
        item = desk.need(f'#inbox li.conversation[data-id="{screens[-1].user}"]')
        link = item.locator("a, button")
        (link.first if link.count() else item).click()
        desk.need("#reply-text").fill("Good morning! I will look it up.")
        desk.need("#reply-send").click()
        screens[-1].wait_text("Good morning! I will look it up.", "other")
        desk.until("() => document.querySelectorAll('#messages li.message').length >= 2")
        screens[-1].need("#text").press_sequentially("Thank")
        poll(lambda: (server.operator.client(screens[-1].user) or {}).get("draft"), "the draft")
        self.shoot(desk, "operator-desk")
        for screen in screens:
            screen.process.child.kill()
        self.server, self.operator = mine, mine.operator
        server.stop()

    def open_report_desk(self, path):
        """Opens the report desk after a server has changed its key."""
        chain = make_chain(Suite.folder(), "api.shop.example")
        # The new certificate is one of a public authority.
        collector = ReportCollector(Suite.binary, Suite.folder(), authority=chain[1])
        self.collectors = getattr(self, "collectors", []) + [collector]
        for number in range(24):
            collector.report(chain, host="api.shop.example", app="example.shop", version=f"2.{number % 3}",
                             platform="IOS" if number % 2 else "ANDROID")
        collector.report(make_chain(Suite.folder(), "login.hotel.example"), host="api.shop.example", app="example.shop",
                         result=2)
        context = Suite.browser().new_context(
            viewport={"width": 1080, "height": 720}, locale="en-US", timezone_id="UTC", reduced_motion="reduce")
        desk = Screen(None, context.new_page())
        desk.page.goto(collector.desk_url)
        desk.page.locator("input[name=name]").fill("Vera")
        desk.page.keyboard.press("Enter")
        desk.need("#overview")
        desk.page.goto(collector.url + path)
        desk.need("#main h1")
        return desk

    def shoot_incident(self, name, fill, policies=(), path="/desk/incidents/1", folder=None,
                       below=None, **options):
        """Fills a collector with reports, and shoots its newest incident or another page, from the top or `below`."""
        collector = ReportCollector(Suite.binary, folder or Suite.folder(), policies=policies, **options)
        fill(collector)
        context = Suite.browser().new_context(
            viewport={"width": 1080, "height": 720}, locale="en-US", timezone_id="UTC", reduced_motion="reduce")
        desk = Screen(None, context.new_page())
        desk.page.goto(collector.desk_url)
        desk.page.locator("input[name=name]").fill("Vera")
        desk.page.keyboard.press("Enter")
        desk.need("#overview")
        desk.page.goto(collector.url + path)
        desk.need("#main h1")
        if below:
            desk.run(f"() => [...document.querySelectorAll({json.dumps(below)})].at(-1).scrollIntoView()")
        self.shoot(desk, name)
        collector.stop()

    def report_desk_backup(self):
        """A server that changed to a key of the newest policy."""
        chain = make_chain(Suite.folder(), "api.shop.example")
        policy = {"holdfast": 1, "name": "shop", "domains": [
            {"host": "api.shop.example", "pins": ["sha256/" + pin_of(chain[0]), "sha256/" + "A" * 42 + "E="]}]}

        def fill(collector):
            for number in range(12):
                collector.report(chain, host="api.shop.example", app="example.shop", version=f"2.{number % 2}")

        self.shoot_incident("report-desk-backup", fill, [("shop.json", json.dumps(policy))])

    def report_desk_interception(self):
        """A root that appears for many hosts."""
        def fill(collector):
            for host in ["api.shop.example", "login.shop.example", "files.shop.example", "pay.shop.example"]:
                chain = make_chain(Suite.folder(), host, root="Example Inspection CA")
                for _ in range(3):
                    collector.report(chain, host=host, app="example.shop", result=2)

        self.shoot_incident("report-desk-interception", fill)

    def report_desk_captive_portal(self):
        """A server with a certificate for another name."""
        chain = make_chain(Suite.folder(), "login.hotel.example")

        def fill(collector):
            for _ in range(2):
                collector.report(chain, host="api.shop.example", app="example.shop", result=2)

        self.shoot_incident("report-desk-captive-portal", fill)

    def report_desk_clock(self):
        """Devices with a time before the certificate."""
        chain = make_chain(Suite.folder(), "api.shop.example")

        def fill(collector):
            for _ in range(5):
                collector.report(chain, host="api.shop.example", app="example.shop", result=2,
                                 time_text="2020-01-01T00:00:00Z")

        self.shoot_incident("report-desk-clock", fill)

    def report_desk_expired(self):
        """A server with an expired certificate."""
        day = lambda days: time.strftime("%Y%m%d000000Z", time.gmtime(time.time() + days * 86_400))
        chain = make_chain(Suite.folder(), "api.shop.example", dates=(day(-90), day(-1)))

        def fill(collector):
            for number in range(9):
                collector.report(chain, host="api.shop.example", app="example.shop", version=f"2.{number % 3}", result=2)

        self.shoot_incident("report-desk-expired", fill)

    def report_desk_pins_end(self):
        """A rotation to an unknown key, shortly before the pins end."""
        chain = make_chain(Suite.folder(), "api.shop.example")
        end = time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime(time.time() + 12 * 86_400))

        def fill(collector):
            for number in range(7):
                collector.report(chain, host="api.shop.example", app="example.shop", version=f"2.{number % 3}",
                                 pins_end=end)

        self.shoot_incident("report-desk-pins-end", fill, authority=chain[1], below=".diagnosis")

    def report_desk_unknown(self):
        """A chain that contains a pinned key, so that no cause fits."""
        chain = make_chain(Suite.folder(), "api.shop.example")

        def fill(collector):
            for number in range(3):
                collector.report(chain, host="api.shop.example", app="example.shop", version=f"2.{number}",
                                 pins=[pin_of(chain[0]), pin_of(chain[1])])

        self.shoot_incident("report-desk-unknown", fill)

    def report_desk_rollouts(self):
        """A roll-out that must stop."""
        folder = Suite.folder()
        chain = make_chain(folder, "api.shop.example")
        bundle = make_staged_bundle(Suite.binary, folder, "api.shop.example", "example.shop")

        def fill(collector):
            for number in range(30):
                collector.report(chain, host="api.shop.example", app="example.shop",
                                 policy_version=13 if number < 26 else 12)
            poll(lambda: 'holdfast_rollouts{state="byHand"} 1' in collector.call("GET", "/metrics")[2], "the decision")

        self.shoot_incident("report-desk-rollouts", fill, path="/desk/roll-outs", folder=folder,
                            options=["--rollout", f"{bundle}=100000"])

    def report_desk(self):
        """The list of incidents."""
        self.shoot(self.open_report_desk("/desk/incidents"), "report-desk")
        self.collectors.pop().stop()

    def report_desk_incident(self):
        """An incident with its cause."""
        self.shoot(self.open_report_desk("/desk/incidents/1"), "report-desk-incident")
        self.collectors.pop().stop()


NAMES = ["chat-page-light", "chat-page-dark", "chat-page-rtl", "chat-page-mobile", "chat-page-survey",
         "chat-page-files", "chat-page-search", "chat-page-attack", "operator-desk",
         "report-desk", "report-desk-incident", "report-desk-backup", "report-desk-interception",
         "report-desk-captive-portal", "report-desk-clock", "report-desk-expired", "report-desk-pins-end",
         "report-desk-unknown", "report-desk-rollouts"]


def main():
    """Makes the pictures."""
    parser = argparse.ArgumentParser(description="Makes the pictures in docs/images from the real pages.")
    parser.add_argument("--holdfast", default=".build/debug/holdfast")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--folder", default="docs/images")
    parser.add_argument("--only", action="append", choices=NAMES)
    options = parser.parse_args()
    Suite.binary, Suite.chromium = pathlib.Path(options.holdfast).resolve(), options.chromium
    studio = Studio(options)
    failed = []
    for name in NAMES:
        if not studio.wants(name):
            continue
        try:
            getattr(studio, re.sub("-", "_", name))()
        except Exception as error:  # The other pictures are still made.
            failed.append(name)
            print(f"{name}: {error}", file=sys.stderr)
    studio.server.stop()
    Suite.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
