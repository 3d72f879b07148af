"""The connection between the page and its process: resume, gaps, repeated frames, other transports, several tabs."""

import json
import urllib.parse

from harness import PageCase, Suite


class Resume(PageCase):
    def routed(self, on_frame=None, sends=lambda message: True):
        """Returns a list of the page's sockets, and a function that routes them through the test.

        `on_frame` returns the frames to deliver for one of the process; `sends` says whether a frame of the page arrives.
        """
        sockets = []

        def connect(route):
            server = route.connect_to_server()
            sockets.append((route, server))
            route.on_message(lambda message: server.send(message) if sends(message) else None)

            def deliver(message):
                for frame in on_frame(message, len(sockets)) if on_frame else [message]:
                    route.send(frame)
            server.on_message(deliver)
        return sockets, lambda page: page.route_web_socket(lambda url: "/socket" in url, connect)

    def after(self, url):
        """Returns `after` of a socket's URL as a number, or None."""
        values = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query).get("after", [""])
        return int(values[0]) if values[0].isdigit() else None

    def test_a_cut_socket_resumes_where_it_ended(self):
        sockets, route = self.routed()
        screen = self.open(before=route)
        first = self.operator.say(self.user, "Before the cut")
        screen.wait_row(first)
        sockets[-1][1].close()
        sockets[-1][0].close()
        while_away = self.operator.say_many(self.user, ["While away 1", "While away 2"])
        screen.wait_row(while_away[-1])
        self.assertGreaterEqual(len(sockets), 2)
        self.assertIsNotNone(self.after(sockets[-1][0].url), sockets[-1][0].url)
        shown = [row["id"] for row in screen.rows()]
        self.assertEqual([id for id in shown if id in while_away + [first]], [first] + while_away)
        screen.send("After the cut")

    def test_a_gap_is_noticed_and_filled(self):
        dropped = []

        def drop_one(message, connections):
            frame = json.loads(message)
            if frame["kind"] == "change" and "Lost frame" in message and not dropped:
                dropped.append(frame["n"])
                return []
            return [message]
        sockets, route = self.routed(drop_one)
        screen = self.open(before=route)
        lost = self.operator.say(self.user, "Lost frame")
        following = self.operator.say(self.user, "The next one")
        screen.wait_row(following)
        screen.wait_row(lost)
        self.assertEqual(len(dropped), 1)
        shown = [row["id"] for row in screen.rows() if row["id"] in (lost, following)]
        self.assertEqual(shown, [lost, following])

    def test_repeated_frames_change_nothing(self):
        sockets, route = self.routed(lambda message, _: [message, message])
        screen = self.open(before=route)
        ids = self.operator.say_many(self.user, ["one", "two", "three"])
        screen.wait_row(ids[-1])
        own = screen.send("four")
        shown = [row["id"] for row in screen.rows() if row["id"] in set(ids + [own])]
        self.assertEqual(shown, ids + [own])

    def test_unreadable_frames_do_not_stop_the_page(self):
        # The page may report what it cannot read.
        self.watched = False
        bad = ["", "{", "[]", "null", '{"v":2,"kind":"state"}', '{"v":1,"kind":"nonsense","n":1}',
               '{"v":1,"n":"x","kind":"change","put":7}', "\ufffd" * 2000]
        sent = []

        def garble(message, connections):
            if connections == 1 and not sent:
                sent.append(True)
                return [message, *bad]
            return [message]
        sockets, route = self.routed(garble)
        screen = self.open(before=route)
        screen.wait_row(self.operator.say(self.user, "Still here"))
        screen.send("And sends")

    def test_an_end_is_said(self):
        sockets, route = self.routed()
        screen = self.open(before=route)
        sockets[-1][0].send(json.dumps({
            "v": 1, "n": 1_000_000, "kind": "end", "code": "signedOut", "text": "You were signed out"}))
        screen.until("() => document.querySelector('#notice')?.textContent.includes('You were signed out')",
                     what="the page says that the session ended")
        self.assertEqual(screen.need("#notice").get_attribute("role"), "alert")
        screen.until("() => document.body.dataset.stale === 'true'", what="the page is stale")
        self.assertTrue(screen.need("#stale").inner_text().strip())

    def test_a_sign_out_removes_the_visitors_texts(self):
        stored = "() => Object.entries(localStorage).filter(([key]) => key.startsWith('chat:')).map(([, value]) => value)"
        is_cut = []
        sockets, route = self.routed(sends=lambda message: not is_cut)
        screen = self.open(before=route)
        is_cut.append(True)
        screen.write("Never sent")
        screen.need("#text").fill("A draft")
        screen.until("() => { const all = JSON.stringify(localStorage);"
                     " return all.includes('Never sent') && all.includes('A draft') }", what="both are stored")
        sockets[-1][0].send(json.dumps({
            "v": 1, "n": 1_000_000, "kind": "end", "code": "signedOut", "text": "You were signed out"}))
        screen.until("() => document.body.dataset.stale === 'true'", what="the session has ended")
        self.assertEqual(screen.run(stored), [])
        self.assertEqual(screen.need("#text").input_value(), "")
        screen.need("#text").fill("After the end")
        self.assertEqual(screen.run(stored), [])

    def test_two_tabs_show_the_same(self):
        screen = self.open()
        other = self.tab(screen.process, screen.page.context, screen.process.origin + screen.process.path).ready()
        own = screen.send("From the first tab")
        other.wait_row(own)
        reply = other.send("From the second tab")
        screen.wait_row(reply)
        ids = lambda tab: [row["id"] for row in tab.rows()]
        self.assertEqual(ids(screen), ids(other))
        self.assertEqual(self.server_texts(), ["From the first tab", "From the second tab"])

    def test_events_and_posts_replace_a_missing_websocket(self):
        screen = self.open(before=lambda page: page.add_init_script(
            """window.WebSocket = class extends EventTarget { constructor() { super(); setTimeout(() => {
                const event = new CloseEvent('close', { code: 1006 });
                this.onerror?.(new Event('error')); this.onclose?.(event); this.dispatchEvent(event) }) }
                close() {} send() { throw new DOMException('not open', 'InvalidStateError') } }"""))
        screen.wait_row(self.operator.say(self.user, "Over events"))
        screen.send("Over a post")
        self.assertEqual(self.server_texts(), ["Over a post"])

    def test_a_reload_shows_the_same_rows(self):
        screen = self.open()
        ids = self.operator.say_many(self.user, [f"line {number}" for number in range(20)])
        screen.wait_row(ids[-1])
        screen.send("Mine")
        before = [(row["id"], row["text"]) for row in screen.rows()]
        screen.page.reload()
        screen.ready()
        self.assertEqual([(row["id"], row["text"]) for row in screen.rows()], before)

    def test_a_new_process_shows_the_stored_conversation_without_the_server(self):
        server = Suite.new_server()
        screen = self.open(server=server)
        screen.send("Kept in the store")
        process = screen.process
        process.child.stop()
        server.stop()
        process.restart()
        other = self.open(process=process, ready=False)
        other.wait_text("Kept in the store", "me")
        other.until("() => document.body.dataset.connection !== 'ready'", what="the connection is not ready")
