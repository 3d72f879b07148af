"""What the page's process allows: headers, cookies, origins, tokens, files and previews."""

import http.server
import json
import re
import threading
import urllib.parse

from harness import PageCase, Suite
from playwright.sync_api import Error as PlaywrightError

CSP = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self' blob:",
    "media-src": "'self' blob:", "connect-src": "'self'", "form-action": "'self'", "base-uri": "'none'",
    "frame-ancestors": "'none'"}


class Answer:
    """An answer of the page's process."""

    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        # A stream of events does not end.
        is_stream = response.headers.get("Content-Type", "").startswith("text/event-stream")
        self.body = b"" if is_stream else response.read()

    def text(self):
        """The body as text."""
        return self.body.decode("utf-8", "replace")


class Web:
    """A plain HTTP client with the cookie of a signed-in visitor."""

    def __init__(self, process, cookie=None):
        self.process, self.cookie = process, cookie

    def sign_in(self):
        """Uses the one-time URL."""
        parts = urllib.parse.urlsplit(self.process.url)
        answer = self.call("GET", f"{parts.path}?{parts.query}")
        self.cookie = "; ".join(value.split(";")[0] for value in answer.headers.get_all("Set-Cookie", []))
        return answer

    def call(self, method, path, headers=None, body=None, host=None):
        """Makes a call, and returns its answer."""
        connection = self.process.http()
        fields = {"Cookie": self.cookie} if self.cookie else {}
        fields.update(headers or {})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.process.actual_port}")
        data = body.encode() if isinstance(body, str) else body
        if data is not None:
            connection.putheader("Content-Length", str(len(data)))
        for name, value in fields.items():
            connection.putheader(name, value)
        try:
            connection.endheaders(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # The process can refuse before it has read everything.
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def upgrade(self, **headers):
        """Asks for the WebSocket, and returns the status of the answer."""
        fields = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        connection = self.process.http()
        connection.request("GET", "/socket?client=test-client-1", headers={
            **({"Cookie": self.cookie} if self.cookie else {}), **fields})
        status = connection.getresponse().status
        connection.close()
        return status

    def page(self):
        """Returns the form token, the session's name and the first state of the page."""
        text = self.call("GET", self.process.path).text()
        token = re.search(r'<meta name="chat-form" content="([^"]+)"', text)
        session = re.search(r'<meta name="chat-session" content="([^"]+)"', text)
        state = re.search(r'<script[^>]*id="chat-state"[^>]*>(.*?)</script>', text, re.S)
        for name, match in (("meta chat-form", token), ("meta chat-session", session), ("#chat-state", state)):
            if match is None:
                raise AssertionError(f"the page has not the element {name}")
        return token.group(1), session.group(1), json.loads(state.group(1))


class Headers(PageCase):
    def setUp(self):
        super().setUp()
        self.process = self.page_process()
        self.web = Web(self.process)

    def test_the_policy_and_the_other_headers(self):
        self.web.sign_in()
        answer = self.web.call("GET", self.process.path)
        self.assertEqual(answer.status, 200)
        directives = dict(part.strip().split(" ", 1) for part in
                          answer.headers["Content-Security-Policy"].strip("; ").split(";"))
        self.assertEqual(directives, CSP)
        self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(answer.headers["Referrer-Policy"], "no-referrer")
        self.assertEqual(answer.headers["Cross-Origin-Opener-Policy"], "same-origin")
        self.assertEqual(answer.headers["Cross-Origin-Resource-Policy"], "same-origin")
        self.assertIn("no-store", answer.headers["Cache-Control"])
        self.assertNotIn("Access-Control-Allow-Origin", answer.headers)
        self.assertNotRegex(answer.text(), r"(?i)<[^>]+\son[a-z]+\s*=")
        self.assertNotRegex(answer.text(), r"(?i)<[^>]+\sstyle\s*=")
        self.assertNotIn("<style", answer.text())

    def test_script_and_styles_are_immutable(self):
        self.web.sign_in()
        text = self.web.call("GET", self.process.path).text()
        for name, kind in (("page.js", "text/javascript"), ("page.css", "text/css")):
            path = re.search(rf'["\']([^"\']*{re.escape(name)}\?v=[^"\']+)["\']', text)
            self.assertIsNotNone(path, f"the page does not refer to {name}?v=…")
            answer = self.web.call("GET", urllib.parse.urljoin(self.process.path, path.group(1).replace("&amp;", "&")))
            self.assertEqual(answer.status, 200)
            self.assertIn("immutable", answer.headers["Cache-Control"])
            self.assertTrue(answer.headers["Content-Type"].startswith(kind))
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")

    def test_the_cookie_is_private_and_the_token_works_once(self):
        answer = self.web.sign_in()
        self.assertEqual(answer.status, 303)
        self.assertNotIn("token", answer.headers["Location"])
        cookie = answer.headers["Set-Cookie"].lower()
        for word in ("httponly", "samesite=strict", "path=/"):
            self.assertIn(word, cookie)
        again = Web(self.process).sign_in()
        self.assertIn(again.status, (401, 403))
        self.assertEqual(again.headers.get_all("Set-Cookie", []), [])

    def test_without_a_cookie_nothing_is_served(self):
        paths = [self.process.path, "/events?client=test-client-1", "/files/x/0", "/images/x", "/preview/x"]
        for path in paths:
            with self.subTest(path):
                self.assertIn(self.web.call("GET", path).status, (401, 403, 404))
        for path in ("/intents", "/form", "/files"):
            with self.subTest(path):
                self.assertIn(self.web.call("POST", path, body="{}").status, (400, 401, 403, 415))
        self.assertIn(self.web.upgrade(Origin=self.process.origin), (401, 403))
        wrong = Web(self.process, f"chat-{self.process.actual_port}=" + "0123456789abcdef" * 4)
        self.assertIn(wrong.call("GET", self.process.path).status, (401, 403))

    def test_another_visitor_cannot_use_the_session(self):
        other = self.page_process(user=f"{self.user}-other")
        self.web.sign_in()
        foreign = Web(other, self.web.cookie)
        self.assertIn(foreign.call("GET", other.path).status, (401, 403))

    def test_sockets_need_the_own_origin(self):
        self.web.sign_in()
        self.assertEqual(self.web.upgrade(Origin=self.process.origin), 101)
        for origin in ("https://evil.example", "null", f"http://localhost:{self.process.actual_port}",
                       "http://127.0.0.1:1", f"http://127.0.0.1:{self.process.actual_port}.evil.example", ""):
            with self.subTest(origin):
                self.assertIn(self.web.upgrade(Origin=origin), (400, 403))

    def test_posts_need_the_token_and_the_own_origin(self):
        self.web.sign_in()
        token, session, _ = self.web.page()
        body = urllib.parse.urlencode({
            "form": token, "intent": "send", "id": "0f8fad5b-d9cb-469f-a165-70867728950e", "text": "From a form"})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        for name, headers, data in (
                ("a foreign origin", {**kind, "Origin": "https://evil.example"}, body),
                ("a null origin", {**kind, "Origin": "null"}, body),
                ("a cross-site fetch", {**kind, "Sec-Fetch-Site": "cross-site"}, body),
                ("a wrong token", {**kind, "Origin": self.process.origin}, body.replace(token, "0" * len(token))),
                ("no token", {**kind, "Origin": self.process.origin}, body.replace("form=", "other="))):
            with self.subTest(name):
                self.assertIn(self.web.call("POST", "/form", headers, data).status, (400, 403))
        intent = json.dumps({"v": 1, "session": session, "client": "test-client-1", "to": 1, "intent": "send",
                             "id": "1f8fad5b-d9cb-469f-a165-70867728950e", "text": "From a post"})
        for name, headers in (
                ("a foreign origin", {"X-Chat-Form": token, "Origin": "https://evil.example"}),
                ("a wrong token", {"X-Chat-Form": "wrong", "Origin": self.process.origin}),
                ("no token", {"Origin": self.process.origin})):
            with self.subTest(name):
                headers["Content-Type"] = "application/json"
                self.assertIn(self.web.call("POST", "/intents", headers, intent).status, (400, 403))
        good = self.web.call("POST", "/form", {**kind, "Origin": self.process.origin}, body)
        self.assertEqual(good.status, 303)
        self.operator.wait_message(self.user, "From a form")
        self.assertEqual(self.server_texts(), ["From a form"])

    def test_other_host_names_are_refused(self):
        self.web.sign_in()
        for host in ("evil.example", f"evil.example:{self.process.actual_port}", "127.0.0.1.evil.example"):
            with self.subTest(host):
                self.assertIn(self.web.call("GET", self.process.path, host=host).status, (400, 403, 421))

    def test_unusable_intents_are_refused_one_by_one(self):
        self.web.sign_in()
        token, session, _ = self.web.page()
        headers = {"X-Chat-Form": token, "Origin": self.process.origin, "Content-Type": "application/json"}
        good = {"v": 1, "session": session, "client": "test-client-2", "to": 1, "intent": "typed", "text": "x"}
        bad = ["", "{", "[]", "null", "\"x\"", json.dumps({**good, "v": 2}), json.dumps({**good, "session": "another"}),
               json.dumps({**good, "intent": "dance"}), json.dumps({**good, "to": 99}), json.dumps({**good, "to": -1}),
               json.dumps({**good, "client": "<b>"}), "[" * 5000, json.dumps({**good, "text": "x" * 70_000})]
        for body in bad:
            with self.subTest(body[:60]):
                answer = self.web.call("POST", "/intents", headers, body)
                # A refusal is a status, or an answer that says so.
                refused = 400 <= answer.status < 500 or (
                    answer.status == 200 and json.loads(answer.text()).get("result") == "refused")
                self.assertTrue(refused, (answer.status, answer.text()[:200]))
        self.assertEqual(self.web.call("POST", "/intents", headers, json.dumps(good)).status, 200)

    def test_files_are_downloads(self):
        self.web.sign_in()
        screen = Web(self.process, self.web.cookie)
        self.assertEqual(screen.call("GET", "/").status, 200)
        self.poll(lambda: self.operator.client(self.user), "the server knows the user", 15)
        page = self.server.upload(self.user, "page.txt", "text/html", b"<script>hacked(1)</script>")
        picture = self.server.upload(self.user, "x.png", "image/svg+xml", b"<svg onload='hacked(1)'/>")
        photo = self.server.upload(self.user, "photo.png", "image/png", b"\x89PNG\r\n\x1a\n" + bytes(40))
        message = self.operator.say(self.user, "Files", attachments=[page, picture, photo])
        answer = self.poll(lambda: (a := screen.call("GET", f"/files/{message}/0")).status == 200 and a, "the file")
        for index, path in enumerate([f"/files/{message}/{n}" for n in (0, 1, 2)]):
            answer = screen.call("GET", path)
            self.assertEqual(answer.status, 200)
            self.assertTrue(answer.headers["Content-Disposition"].startswith("attachment"), path)
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertIn("Content-Security-Policy", answer.headers)
        for index in (0, 1):
            answer = screen.call("GET", f"/files/{message}/{index}?inline")
            self.assertEqual(answer.status, 200)
            self.assertTrue(answer.headers["Content-Disposition"].startswith("attachment"))
            self.assertEqual(answer.headers["Content-Type"], "application/octet-stream")
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
        inline = screen.call("GET", f"/files/{message}/2?inline")
        self.assertEqual(inline.status, 200)
        self.assertEqual(inline.headers["Content-Type"], "image/png")
        part = screen.call("GET", f"/files/{message}/0", {"Range": "bytes=0-6"})
        self.assertEqual((part.status, part.body), (206, b"<script"))
        for path in (f"/files/{message}/9", "/files/../etc/passwd", "/files/%2e%2e%2fetc%2fpasswd/0", "/images/../x",
                     "/images/%2fetc%2fpasswd", f"/files/{message}/-1", f"/files/{message}/0%00"):
            with self.subTest(path):
                self.assertIn(screen.call("GET", path).status, (400, 403, 404))


class Attackers(PageCase):
    watched = False

    def serve(self, body):
        """Serves a hostile page on another port, and returns the port and the paths that were requested."""
        requested = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                requested.append(self.path)
                data = body.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *words):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        return server.server_address[1], requested

    def test_pages_of_other_origins_reach_nothing(self):
        screen = self.open()
        origin = screen.process.origin
        port, _ = self.serve(f"""<!doctype html><title>evil</title><iframe id=frame src="{origin}/"></iframe>
            <form id=form method=post action="{origin}/form"><input name=intent value=send><input name=text value=forged>
            <input name=id value=2f8fad5b-d9cb-469f-a165-70867728950e></form>""")
        # The same site on another port sends SameSite cookies; another host name does not.
        for host in ("127.0.0.1", "localhost"):
            with self.subTest(host):
                page = screen.page.context.new_page()
                page.goto(f"http://{host}:{port}/")
                result = page.evaluate("""async (origin) => {
                    const found = {};
                    found.socket = await new Promise((done) => { try {
                        const socket = new WebSocket(origin.replace('http', 'ws') + '/socket?client=evil-page-1');
                        socket.onopen = () => done('open'); socket.onerror = () => done('refused');
                        setTimeout(() => done('silent'), 5000) } catch { done('refused') } });
                    found.read = await fetch(origin + '/', { credentials: 'include' }).then(() => 'read', () => 'refused');
                    found.post = await fetch(origin + '/intents', { method: 'POST', credentials: 'include',
                        headers: { 'X-Chat-Form': 'x' }, body: '{}' }).then(() => 'read', () => 'refused');
                    found.blind = await fetch(origin + '/form', { method: 'POST', mode: 'no-cors',
                        credentials: 'include', body: new URLSearchParams({ intent: 'send', text: 'forged' })
                    }).then(() => 'sent', () => 'refused');
                    found.script = await new Promise((done) => { const script = document.createElement('script');
                        script.src = origin + '/page.js'; script.onload = () => done('loaded');
                        script.onerror = () => done('refused'); document.head.append(script) });
                    return found }""", origin)
                self.assertEqual(result["socket"], "refused")
                self.assertEqual(result["read"], "refused")
                self.assertEqual(result["post"], "refused")
                if host == "localhost":
                    self.assertEqual(result["script"], "refused")
                frame = page.locator("#frame").element_handle().content_frame()
                try:
                    self.assertEqual(frame.locator("#composer").count(), 0, "the page is shown in a foreign frame")
                except PlaywrightError:
                    pass
                with page.expect_navigation():
                    page.evaluate("() => document.getElementById('form').submit()")
                page.close()
        screen.send("The visitor's own")
        self.assertEqual(self.server_texts(), ["The visitor's own"])

    def test_a_preview_reaches_no_private_address(self):
        server = Suite.new_server(patch={"channelConfig": {"linkPreviewEnabled": True}})
        try:
            port, requested = self.serve("<title>Private</title>")
            screen = self.open(server=server)
            links = [f"http://127.0.0.1:{port}/a", f"http://localhost:{port}/b", f"http://[::1]:{port}/c",
                     f"http://0.0.0.0:{port}/d", f"http://2130706433:{port}/e", f"http://[::ffff:127.0.0.1]:{port}/f",
                     f"http://127.1:{port}/g", "http://169.254.169.254/latest/meta-data/"]
            for link in links:
                message = server.operator.say(self.user, f"See {link}")
                screen.wait_row(message)
                status = screen.run("async (id) => (await fetch(`preview/${id}`)).status", message)
                self.assertEqual(status, 204, link)
            self.assertEqual(requested, [])
        finally:
            server.stop()


class Requests(PageCase):
    def test_a_whole_visit_makes_no_third_party_request(self):
        screen = self.open()
        self.operator.say(self.user, "https://evil.example/ and a picture", operator={
            "name": "Vera", "photoUrl": "https://evil.example/photo.png", "role": "OPERATOR"}, quickReplies=[
            {"id": "q", "type": "URL", "text": "Go", "url": "https://evil.example/", "imageUrl": "https://evil.example/i"}])
        screen.wait_text("https://evil.example/ and a picture")
        screen.send("Hello")
        guard = screen.page.context.guard
        self.assertGreater(len(guard.requests), 3)
        self.assertEqual(guard.foreign(), [])
