"""Starts the real processes: the development server of the chat, the page's process, and the operator's interface."""

import atexit
import base64
import hashlib
import http.client
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.parse
import uuid


class Failed(Exception):
    """A process, or an answer of a process, is not as expected."""


def poll(condition, what, timeout=10.0, every=0.04):
    """Evaluates a condition until it returns a true value, and returns the value.

    Used for conditions outside the browser. Raises Failed with the last value after the timeout.
    """
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"{what}: not within {timeout:g} s; the last value was {value!r}")
        time.sleep(every)


class Child:
    """A process whose lines are read as they come. Every child ends with the tests."""

    living = set()

    def __init__(self, arguments, home, name, variables=None):
        self.name = name
        self.arguments = [str(argument) for argument in arguments]
        self.lines = []
        self._changed = threading.Condition()
        self._ended = 0
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), "LANG": "C.UTF-8", "TZ": "UTC"}
        for key in ("LD_LIBRARY_PATH", "SWIFT_BACKTRACE", "TMPDIR"):
            if key in os.environ:
                environment[key] = os.environ[key]
        environment.update(variables or {})
        # Standard input stays open and empty, so that the process does not see its end.
        self.process = subprocess.Popen(
            self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
            cwd=home, start_new_session=True)
        Child.living.add(self)
        for stream, mark in ((self.process.stdout, ""), (self.process.stderr, "")):
            threading.Thread(target=self._read, args=(stream, mark), daemon=True).start()

    def _read(self, stream, mark):
        for line in stream:
            with self._changed:
                self.lines.append(mark + line.decode("utf-8", "replace").rstrip("\r\n"))
                del self.lines[:-5000]
                self._changed.notify_all()
        with self._changed:
            self._ended += 1
            self._changed.notify_all()

    def wait_line(self, pattern, what, timeout=20.0):
        """Returns the match of the first line, past or future, that contains the pattern."""
        regex = re.compile(pattern)
        end = time.monotonic() + timeout
        with self._changed:
            while True:
                for line in self.lines:
                    if match := regex.search(line):
                        return match
                left = end - time.monotonic()
                if self._ended == 2 or left <= 0:
                    why = f"it ended with {self.process.wait()}" if self._ended == 2 else f"not within {timeout:g} s"
                    raise Failed(f"{self.name} did not print {what} (a line like {pattern!r}): {why}.\n{self.log()}")
                self._changed.wait(min(left, 0.5))

    def log(self, count=40):
        """Returns the command line and the last lines of the process."""
        lines = "\n".join("    " + line for line in self.lines[-count:])
        return f"  $ {' '.join(self.arguments)}\n{lines}"

    @property
    def runs(self):
        """Whether the process has not ended."""
        return self.process.poll() is None

    def pause(self):
        """Stops the process without ending it: it answers nothing."""
        os.killpg(self.process.pid, signal.SIGSTOP)

    def go_on(self):
        """Continues a paused process."""
        os.killpg(self.process.pid, signal.SIGCONT)

    def kill(self):
        """Ends the process at once, as a crash does."""
        if self.runs:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self._close()

    def stop(self, timeout=5.0):
        """Interrupts the process, and returns its exit code. Kills it after the timeout."""
        if self.runs:
            try:
                os.killpg(self.process.pid, signal.SIGCONT)
                os.killpg(self.process.pid, signal.SIGINT)
            except ProcessLookupError:
                pass
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
        self._close()
        return self.process.returncode

    def _close(self):
        Child.living.discard(self)
        if self.process.stdin and not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except OSError:
                pass


@atexit.register
def kill_all():
    """Ends every process that a test left behind."""
    for child in list(Child.living):
        child.kill()


class Folder:
    """A private temporary folder, removed at exit."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-browser-"))
        atexit.register(shutil.rmtree, self.path, True)

    def make(self, name):
        """Creates a private folder, and returns its path."""
        path = self.path / f"{name}-{secrets.token_hex(4)}"
        path.mkdir(mode=0o700)
        return path

    def write(self, name, contents):
        """Writes a private file, and returns its path."""
        path = self.path / f"{secrets.token_hex(4)}-{name}"
        data = contents if isinstance(contents, bytes) else contents.encode()
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        return path


class Certificates:
    """A certificate for localhost by an own authority. It outlives a server, so that a restarted server has its pin."""

    def __init__(self, folder):
        where = folder.make("certificates")
        self.root, self.key, self.chain = where / "root.pem", where / "key.pem", where / "chain.pem"
        extensions = where / "extensions"
        extensions.write_text(
            "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n"
            "subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        run = lambda *words: subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True).stdout
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        run("req", "-x509", *key, "-keyout", where / "root-key.pem", "-out", self.root, "-days", 2, "-subj",
            "/CN=Browser tests", "-addext", "basicConstraints=critical,CA:TRUE", "-addext",
            "keyUsage=critical,keyCertSign")
        run("req", *key, "-keyout", self.key, "-out", where / "request.pem", "-subj", "/CN=localhost")
        run("x509", "-req", "-in", where / "request.pem", "-CA", self.root, "-CAkey", where / "root-key.pem",
            "-CAcreateserial", "-days", 2, "-extfile", extensions, "-out", self.chain)
        os.chmod(self.key, 0o600)
        public = run("x509", "-in", self.chain, "-pubkey", "-noout")
        der = base64.b64decode("".join(public.decode().split("\n")[1:-2]))
        self.pins = ["sha256/" + base64.b64encode(hashlib.sha256(der).digest()).decode()]


class Operator:
    """The operator's interface of the development server, over HTTP."""

    def __init__(self, server):
        self._server = server
        self._connection = None

    def call(self, method, path, body=None, expect=(200,)):
        """Makes a call, and returns the JSON of its answer."""
        data = None if body is None else json.dumps(body).encode()
        for attempt in (1, 2):
            try:
                if self._connection is None:
                    self._connection = self._server.http()
                self._connection.request(
                    method, "/operator" + path, data, {"Authorization": "Bearer " + self._server.operator_token})
                response = self._connection.getresponse()
                text = response.read()
                break
            except (http.client.HTTPException, OSError):
                # The kept connection can have ended with an earlier process of the server.
                self.close()
                if attempt == 2:
                    raise
        answer = json.loads(text) if text else {}
        if response.status not in expect:
            raise Failed(f"{method} /operator{path}: {response.status} {text[:600]!r}; sent {str(body)[:600]}")
        return answer

    def close(self):
        """Closes the kept connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    @staticmethod
    def _client(client):
        return "/clients/" + urllib.parse.quote(client, safe="")

    def act(self, client, *actions, expect=(200,)):
        """Performs actions for a client, or for all with None. Returns `done` of the answer."""
        path = "/actions" if client is None else self._client(client) + "/actions"
        done = []
        for start in range(0, len(actions), 100):
            batch = list(actions[start:start + 100])
            done += self.call("POST", path, batch, expect).get("done", [])
        return done

    def say(self, client, text=None, **keys):
        """Sends a message of an operator, and returns its id, which the rows of the page have, too."""
        keys.setdefault("uuid", str(uuid.uuid4()))
        if text is not None:
            keys["text"] = text
        self.act(client, {"action": "say", **keys})
        return keys["uuid"]

    def say_many(self, client, texts):
        """Sends several messages in order, and returns their ids."""
        actions = [{"action": "say", "uuid": str(uuid.uuid4()), "text": text} for text in texts]
        batch, size = [], 0
        for action in actions:
            length = len(json.dumps(action)) + 2
            if batch and (size + length > 60_000 or len(batch) == 100):
                self.act(client, *batch)
                batch, size = [], 0
            batch.append(action)
            size += length
        if batch:
            self.act(client, *batch)
        return [action["uuid"] for action in actions]

    def overview(self):
        """Returns the state of the server."""
        return self.call("GET", "")

    def client(self, client):
        """Returns a client, or None if the server does not know it."""
        answer = self.call("GET", self._client(client), expect=(200, 404))
        return answer if "client" in answer else None

    def messages(self, client):
        """Returns all messages of a client, oldest first."""
        found = []
        cursor = ""
        while True:
            page = self.call("GET", f"{self._client(client)}/messages?count=200{cursor}", expect=(200, 404))
            page = page.get("messages", [])
            found = page + found
            if len(page) < 200:
                return found
            cursor = "&before=" + urllib.parse.quote(page[0]["uuid"], safe="")

    def from_client(self, client):
        """Returns the texts and files that the client sent, oldest first."""
        return [m for m in self.messages(client) if m.get("fromClient") and m["content"].get("type") == "MESSAGE"]

    def wait_message(self, client, text, timeout=10.0):
        """Waits until the server has a message of the client with this text, and returns it."""
        return poll(
            lambda: next((m for m in self.from_client(client) if m["content"].get("text") == text), None),
            f"the server has the message {text[:60]!r} of {client}", timeout)


class ChatServer:
    """`holdfast serve chat`."""

    def __init__(self, binary, folder, *, tls=True, bot=None, patch=None, script=None, stored=False, certificates=None,
                 tokens=None, canned=None):
        self.binary, self.folder, self.tls, self.certificates = binary, folder, tls, certificates
        self.operator_token = secrets.token_hex(16)
        token_file = folder.write("operator-token", self.operator_token)
        self.options = ["--operator-token-file", token_file]
        if bot is None:
            self.options.append("--no-bot")
        else:
            self.options += ["--bot-delay", str(bot)]
        if patch is not None:
            self.options += ["--configuration-patch", folder.write("patch.json", json.dumps(patch))]
        if script is not None:
            self.options += ["--script", folder.write("script.json", json.dumps(script))]
        if canned is not None:
            self.options += ["--canned-answers", folder.write("canned.json", json.dumps(canned))]
        if tokens is not None:
            self.options += ["--token-file", folder.write("tokens", "\n".join(tokens))]
        if stored:
            self.options += ["--database", folder.make("server") / "chat.sqlite"]
        else:
            self.options.append("--in-memory")
        if certificates:
            self.options += ["--cert", certificates.chain, "--key", certificates.key]
        self.operator = Operator(self)
        self.port = 0
        self.start()

    def start(self):
        """Starts the process; after the first time, on the same port."""
        self.operator.close()
        options = ["--port", str(self.port), "--json", *self.options]
        root = None
        if self.tls and not self.certificates:
            root = self.folder.make("root") / "root.pem"
            options += ["--tls", "--root", root]
        self.child = Child([self.binary, "serve", "chat", *options], self.folder.path, "holdfast serve chat")
        line = self.child.wait_line(r'^\{.*"event": ?"listening".*\}$', "the JSON object with its addresses")
        self.info = json.loads(line.group(0))
        address = urllib.parse.urlsplit(self.info["rest"])
        self.port = address.port
        if self.certificates:
            self.root, self.pins = self.certificates.root, self.certificates.pins
        else:
            self.root, self.pins = root, self.info.get("pins", [])
        self.secure = address.scheme == "https"

    @property
    def desk_url(self):
        """The address of the operator desk."""
        if self.info.get("desk"):
            return self.info["desk"]
        return self.child.wait_line(r"desk:?\s+.*?(https?://\S+)", "the address of the desk", 5).group(1)

    @property
    def host(self):
        """The server as `holdfast chat` takes it."""
        return f"localhost:{self.port}" if self.secure else f"http://127.0.0.1:{self.port}"

    def trust_options(self, pinned=True):
        """The options with which `holdfast chat` trusts this server."""
        if not self.secure:
            return []
        pins = [word for pin in self.pins for word in ("--pin", pin)] if pinned else []
        return ["--trust-anchors", self.root, *pins]

    def http(self, timeout=15):
        """Opens a connection to the server for calls."""
        if not self.secure:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        return http.client.HTTPSConnection(
            "localhost", self.port, timeout=timeout, context=ssl.create_default_context(cafile=str(self.root)))

    def upload(self, client, name, kind, data):
        """Stores a file, as an operator's program does, and returns an attachment for `say`."""
        boundary = "b" + secrets.token_hex(12)
        body = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            f"Content-Type: {kind}\r\n\r\n").encode() + data + f"\r\n--{boundary}--\r\n".encode()
        connection = self.http()
        connection.request("PUT", "/files", body, {
            "Content-Type": f"multipart/form-data; boundary={boundary}", "X-Client-Id": client})
        response = connection.getresponse()
        text = response.read()
        connection.close()
        if response.status != 200:
            raise Failed(f"PUT /files: {response.status} {text[:300]!r}")
        answer = json.loads(text)
        return {
            "id": str(uuid.uuid4()), "result": answer["result"], "name": name, "type": kind, "size": len(data),
            "state": "READY"}

    def kill(self):
        """Ends the process as a crash does."""
        self.operator.close()
        self.child.kill()

    def stop(self):
        """Ends the process."""
        self.operator.close()
        self.child.stop()


class ReportCollector:
    """`holdfast serve collector`, with its report desk."""

    def __init__(self, binary, folder, *, token=None, policies=(), authority=None, options=()):
        """`authority` is the only public authority that the process trusts (PEM), in place of the machine's."""
        self.folder = folder
        options = ["--port", "0", "--json", "--per-minute", "6000", *options]
        if token:
            options += ["--token-file", folder.write("reader-token", token)]
        for name, contents in policies:
            options += ["--known-policy", folder.write(name, contents)]
        variables = {"SSL_CERT_FILE": folder.write("authorities.pem", authority)} if authority else {}
        self.child = Child(
            [binary, "serve", "collector", *options], folder.path, "holdfast serve collector", variables)
        line = self.child.wait_line(r'^\{.*"event": ?"listening".*\}$', "the JSON object with its addresses")
        self.info = json.loads(line.group(0))
        self.url, self.desk_url = self.info["url"], self.info["desk"]

    def call(self, method, path, body=None, headers=None):
        """Makes a call, and returns status, headers and body. Does not read a stream of events."""
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.url).netloc, timeout=15)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            is_stream = response.headers.get("Content-Type", "").startswith("text/event-stream")
            return response.status, response.headers, "" if is_stream else response.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def report(self, chain, *, host="api.example.com", app="com.example.shop", version="2.1", platform="IOS",
               installation=None, result=1, pins=None, time_text=None, pins_end=None, policy_version=None):
        """Posts a report in TrustKit's format."""
        pins = pins or [base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2)]
        now = time_text or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        body = {
            "app-bundle-id": app, "app-version": version, "app-vendor-id": installation or str(uuid.uuid4()),
            "app-platform": platform, "app-platform-version": "18.0", "trustkit-version": "3.0.0", "date-time": now,
            "hostname": host, "port": 443, "noted-hostname": host, "include-subdomains": False,
            "enforce-pinning": True, "validated-certificate-chain": chain,
            "known-pins": [f'pin-sha256="{pin}"' for pin in pins], "validation-result": result}
        if pins_end:
            body["known-pins-expiration-date"] = pins_end
        if policy_version:
            body["holdfast-policy-version"] = policy_version
        status, _, text = self.call(
            "POST", "/reports", json.dumps(body), {"Content-Type": "application/json"})
        if status != 201:
            raise Failed(f"the report was answered with {status}: {text}")

    def stop(self):
        """Ends the process."""
        self.child.stop()


def make_chain(folder, host, root="Example Root", names=(), dates=None):
    """Returns the PEM texts of a server's certificate and its root. The texts of both may be hostile. `dates` are the
    begin and the end of the server's certificate (`20310315120000Z`)."""
    where = folder.make("chain")
    run = lambda *words: subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True).stdout
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    (where / "extensions").write_text(
        "subjectAltName=@names\n[names]\n"
        + "".join(f"DNS.{number}={name}\n" for number, name in enumerate([host, *names])))
    run("req", "-x509", *key, "-utf8", "-keyout", where / "root-key.pem", "-out", where / "root.pem", "-days", 2, "-subj",
        f"/CN={root}", "-addext", "basicConstraints=critical,CA:TRUE")
    run("req", *key, "-utf8", "-keyout", where / "key.pem", "-out", where / "request.pem", "-subj", f"/CN={host[:60]}")
    if dates:
        # Only `openssl ca` sets both dates.
        (where / "index").touch()
        (where / "settings").write_text(
            f"[ca]\ndefault_ca=here\n[here]\ndatabase={where}/index\nnew_certs_dir={where}\ndefault_md=sha256\n"
            "policy=any\nrand_serial=yes\n[any]\ncommonName=supplied\n")
        run("ca", "-batch", "-notext", "-config", where / "settings", "-in", where / "request.pem", "-cert",
            where / "root.pem", "-keyfile", where / "root-key.pem", "-startdate", dates[0], "-enddate", dates[1],
            "-extfile", where / "extensions", "-out", where / "leaf.pem")
    else:
        run("x509", "-req", "-in", where / "request.pem", "-CA", where / "root.pem", "-CAkey", where / "root-key.pem",
            "-CAcreateserial", "-days", 2, "-extfile", where / "extensions", "-out", where / "leaf.pem")
    return [(where / "leaf.pem").read_text(), (where / "root.pem").read_text()]


def make_staged_bundle(binary, folder, host, application):
    """Returns the path of a signed bundle of version 13 with three stages, of which the first has begun."""
    where = folder.make("bundle")
    day = lambda days: time.strftime("%Y-%m-%d", time.gmtime(time.time() + days * 86_400))
    policy = folder.write("policy.json", json.dumps({"holdfast": 1, "name": "shop", "domains": [
        {"host": host, "pins": ["sha256/" + "A" * 42 + "E=", "sha256/" + "A" * 42 + "I="]}]}))
    for words in (
        ["keygen", "--key-id", "2031-a", "--private-key", "signing.pem", "--public-key", "signing.pub"],
        ["sign", policy, "--key", "signing.pem", "--key-id", "2031-a", "--application", application, "--version", "13",
         "--not-before", day(-2), "--not-after", day(60), "--embedded", policy, "--output", "shop.bundle",
         "--stage", f"1%@{day(-1)}", "--stage", f"10%@{day(1)}", "--stage", f"100%@{day(3)}"],
    ):
        subprocess.run([binary, "bundle", *words], check=True, capture_output=True, cwd=where)
    return where / "shop.bundle"


class PageProcess:
    """`holdfast chat HOST --browser`: the process that serves the page to one user."""

    _help = {}

    def __init__(self, binary, folder, server, user, *, name=None, store=None, pinned=True, options=(), port=None):
        self.binary, self.folder, self.server, self.user = binary, folder, server, user
        self.store = store or folder.make("store")
        self.name, self.pinned, self.options = name or f"Name of {user}", pinned, list(options)
        self.port = port
        self.start()

    @classmethod
    def help(cls, binary):
        """Returns the help text of `holdfast chat`, which lists its options."""
        if binary not in cls._help:
            run = subprocess.run([str(binary), "chat", "--help"], capture_output=True, text=True, timeout=30)
            cls._help[binary] = run.stdout
        return cls._help[binary]

    @classmethod
    def option(cls, binary, *names):
        """Returns the first of these options that the command has, or None."""
        text = cls.help(binary)
        return next((name for name in names if re.search(re.escape(name) + r"(?![\w-])", text)), None)

    def start(self):
        """Starts the process. It prints a new one-time URL."""
        arguments = [
            self.binary, "chat", self.server.host, *self.server.trust_options(self.pinned), "--user", self.user,
            "--name", self.name, "--store", self.store, "--browser", *self.options]
        port_option = self.option(self.binary, "--page-port", "--browser-port", "--port")
        if self.port and port_option:
            arguments += [port_option, str(self.port)]
        self.child = Child(arguments, self.folder.path, "holdfast chat --browser")
        match = self.child.wait_line(r"^(?:page:|open)\s.*?(http://[^\s]+)", "the page's one-time URL")
        self.url = match.group(1)
        parts = urllib.parse.urlsplit(self.url)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.path = parts.path or "/"
        self.actual_port = parts.port

    @property
    def keeps_port(self):
        """Whether a restarted process can serve the same origin."""
        return self.option(self.binary, "--page-port", "--browser-port", "--port") is not None

    def restart(self):
        """Starts a process with the same store after the earlier one ended; on the same port, if there is an option."""
        self.port = self.actual_port
        self.start()

    def http(self, timeout=10):
        """Opens a plain connection to the page's process."""
        return http.client.HTTPConnection("127.0.0.1", self.actual_port, timeout=timeout)
