#!/usr/bin/env python3
"""Writes docs/reference: what refuses a connection, every setting, every error and every limit.

    scripts/reference.py            writes the pages
    scripts/reference.py --check    fails if a page is out of date, or a source lacks a fact that a page needs

The facts are in the sources: in documentation comments and default values. A documentation comment can have these list
items: `- Evidence:`, `- Remedy:`, `- Reference:` (a section of an RFC) and `- Error:` (what reports a limit).
"""
import os
import re
import sys
from pathlib import Path

os.chdir(Path(__file__).resolve().parent.parent)
sys.path.insert(0, "scripts")
import swiftsource  # noqa: E402

FOLDER = Path("docs/reference")
GENERATED = "<!-- scripts/reference.py writes this page from the sources. Change the comments there. -->"
STATUS = {
    "badRequest": 400, "unauthorized": 401, "forbidden": 403, "notFound": 404, "methodNotAllowed": 405, "conflict": 409,
    "contentTooLarge": 413, "unsupportedMediaType": 415, "expectationFailed": 417, "misdirectedRequest": 421,
    "tooManyRequests": 429, "internalServerError": 500, "serviceUnavailable": 503, "requestHeaderFieldsTooLarge": 431,
}
# The headings of the modules, in the order of the pages.
MODULES = {
    "HoldfastTrust": "Trust", "HoldfastFormats": "Policy formats", "HoldfastNIO": "swift-nio",
    "HoldfastTransport": "HTTP client", "HoldfastWebSocket": "WebSocket", "HoldfastNetworking": "Networking",
    "HoldfastCompatibility": "Names of other libraries", "ChatCenter": "Chat SDK", "ChatCenterCore": "Chat SDK, core",
    "ChatPage": "Chat page", "ChatPageServer": "Server of the chat page", "ChatDevServer": "Chat server",
    "PinReportCollector": "Collector",
}
problems = []


def cell(text):
    text = " ".join(text.split()).replace("|", "\\|")
    return re.sub(r"```(?:swift)? (.*?) ```", r"`\1`", text)  # a block of one statement


def table(heads, rows):
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(cell(c) for c in row) + " |"
    yield ""


def load():
    found = []
    for path in sorted(Path("Sources").rglob("*.swift")):
        if "Lab" not in path.parts and "Documentation.docc" not in str(path):
            found += swiftsource.read(path)
    return found


def string(text):
    """Returns the text of joined string literals, with … for interpolations."""
    masked, out, i = swiftsource.mask(text), "", 0
    for literal in re.finditer(r'"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*)"', text):
        out += literal[1]
    out = re.sub(r"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", "…", out)
    return out.replace('\\"', '"')


# MARK: What refuses a connection

def refusals(declarations):
    yield "# What refuses a connection and why"
    yield ""
    yield GENERATED
    yield ""
    yield ("This page is for developers and operators who have a finding and need its cause and its remedy. It lists "
           "every `TrustFinding.Code` and every diagnosis of the chat.")
    yield ""
    yield ("[A refused connection](../pin-mismatch.md) shows the error and the steps to find the cause. The "
           "[trust matrix](../trust-matrix.md) shows which configuration performs which check.")
    yield ""
    yield ("- Every verdict contains the decision, the host, the finding, the verified or presented keys and the time. "
           "The column “evidence” names the further facts of a finding.")
    yield ("- If several findings apply, the first one in the order of the checks decides. The others are `notices` of "
           "the verdict.")
    yield ("- Never add a key to a policy only because a server presents it: an attacker presents one, too. Confirm the "
           "key with the operator of the server over another channel.")
    yield ("- If no pin matches, [the probe](../probe.md) prints the line for the policy, or the command for the folder, "
           "that a confirmed key needs.")
    yield ""
    codes = [d for d in declarations if d.scope == ["TrustFinding", "Code"] and d.is_static
             and d.default.startswith("Code(")]
    sections = {}
    for code in codes:
        sections.setdefault(code.mark, []).append(code)
        for name in ("Evidence", "Remedy"):
            if not code.field(name):
                problems.append(f"{code.path}:{code.line}: {code.name} has no line `- {name}:`")
    # Refusals first: acceptance is the last section.
    for mark in [m for m in sections if m != "Acceptance"] + ["Acceptance"]:
        yield f"## {mark}"
        yield ""
        rows = [[f"`{c.name}`", c.doc, c.field("Evidence"), c.field("Remedy"), c.field("Reference")]
                for c in sections[mark]]
        yield from table(["code", "cause", "evidence", "remedy", "source"], rows)
    yield "## Diagnoses of the chat"
    yield ""
    yield ("`ChatConnectionDiagnosis` has one of these causes, its evidence and this remedy. "
           "[When the chat does not connect](../../Sources/Chat/ChatCenter/Documentation.docc/Diagnostics.md) says where "
           "to find it.")
    yield ""
    causes = [d for d in declarations if d.scope == ["ChatConnectionDiagnosis", "Cause"] and d.kind == "case"]
    text = Path("Sources/Chat/ChatCenter/Diagnostics/ChatConnectionDiagnosis.swift").read_text()
    remedies = dict(
        (name, string(body)) for name, body in re.findall(
            r'case \.(\w+):\s*("(?:.*?))(?=\n        case |\n        \})', text[text.index("var remedy: String {"):], re.S))
    for cause in causes:
        if cause.name not in remedies:
            problems.append(f"{cause.path}:{cause.line}: {cause.name} has no remedy")
    yield from table(["diagnosis", "cause", "remedy"],
                     [[f"`{c.name}`", c.doc, remedies.get(c.name, "")] for c in causes])


# MARK: Every error

def errors(declarations):
    yield "# Every error"
    yield ""
    yield GENERATED
    yield ""
    yield ("This page is for developers and operators who have an error and need its meaning and what to do. It lists "
           "the public error types with their codes, the answers of the collector, and the exit codes of the tool.")
    yield ""
    yield ("The codes are stable and safe as metric labels. New codes may be added, so handle unknown ones. The findings "
           "of a refused server are on [a page of their own](refusals.md).")
    yield ""
    types = [d for d in declarations if d.is_public and d.kind in ("struct", "enum", "class")
             and re.search(r":.*\b(Swift\.)?Error\b", d.text) and d.full != "TrustFinding"]
    for module, heading in MODULES.items():
        members = sorted((t for t in types if t.module == module), key=lambda t: t.full)
        if not members:
            continue
        yield f"## {heading}"
        yield ""
        for error in members:
            yield f"### {error.full}"
            yield ""
            remedy = error.field("Remedy")
            yield error.doc + (f" **What to do:** {remedy}" if remedy else "")
            yield ""
            inside = [*error.scope, error.name]
            codes = [d for d in declarations if d.scope[:len(inside)] == inside and (
                d.kind == "case" or d.is_static and d.is_public and d.default.startswith(("Code(", "Kind(", "Self(")))]
            # Cases of types that are not kinds of failure.
            codes = [c for c in codes if not (set(c.scope[len(inside):]) & {"Phase", "CodingKeys", "Split", "Call", "Part"})]
            if not remedy and not all(c.field("Remedy") for c in codes) or not remedy and not codes:
                problems.append(f"{error.path}:{error.line}: {error.full} has no line `- Remedy:`")
            for code in codes:
                if not code.doc:
                    problems.append(f"{code.path}:{code.line}: {code.full} has no documentation")
            rows = [[f"`{'.'.join([*c.scope[len(inside):], c.name]).removeprefix('Code.')}`", c.doc, c.field("Remedy")]
                    for c in codes]
            own = any(row[2] for row in rows)
            if rows:
                yield from table(["code", "meaning", "what to do"] if own else ["code", "meaning"],
                                 rows if own else [row[:2] for row in rows])
    unlisted = {t.module for t in types} - set(MODULES)
    if unlisted:
        problems.append(f"scripts/reference.py: MODULES lacks {', '.join(sorted(unlisted))}")
    yield from collector_errors(declarations)
    yield "## Exit codes of the tool"
    yield ""
    yield "[The tool](../tool.md#exit-codes) says what a code means for a command."
    yield ""
    statuses = [d for d in declarations if d.scope == ["ToolStatus"] and d.kind == "case"]
    yield from table(["exit code", "meaning"], [[d.default, d.doc] for d in statuses])


def collector_errors(declarations):
    """The refusals that the collector's sources construct, and those of invalid reports."""
    rows = {}
    for d in declarations:
        if d.scope == ["ReportFault", "Code"] and d.kind == "case":
            rows[(400, d.name)] = d.doc
    for path in sorted([*Path("Sources/Servers/PinReports").rglob("*.swift"),
                        *Path("Sources/Servers/PinReportCollector").rglob("*.swift")]):
        text = path.read_text()
        for call in re.finditer(
                r'(?:RequestRefusal|self\.init)\(\s*\.(\w+), "(\w+)",\s*((?:"(?:[^"\\]|\\.)*"|\s|\+)+)', text):
            status = STATUS.get(call[1])
            if not status:
                problems.append(f"{path}: scripts/reference.py: STATUS lacks {call[1]}")
                continue
            known = rows.get((status, call[2]))
            sentence = string(call[3])
            rows[(status, call[2])] = sentence if known in (None, sentence) else known + " Or: " + sentence
    storage = [d for d in declarations if d.scope == ["ReportCollectorError", "Code"] and d.field("Error")]
    for d in storage:
        rows[(int(d.field("Error").split()[1]), d.name)] = d.doc
    yield "## Answers of the collector"
    yield ""
    yield ("A refused request has a status and a JSON body with `error`, `reason` and, for an invalid report, `field`, "
           "`line` and `column`. A reporter repeats a report after 429 and 503, at the earliest after `Retry-After`. "
           "It must not repeat it unchanged after another status of 400 or above.")
    yield ""
    yield from table(["status", "code", "reason"], [[str(s), f"`{c}`", r] for (s, c), r in sorted(rows.items())])


# MARK: Every setting

SDK_TYPES = """ChatConfig ChatTransportConfig ChatNetworkConfig HTTPConfig WSConfig SSLPinningConfig ChatLoggerConfig
ChatUser ChatAuth ChatLocalizationConfig ChatTheme""".split()
OTHER_TYPES = {
    "HTTP client": "TransportConfiguration RequestOptions DownloadOptions UploadOptions ResumableUploadOptions "
                   "TransferRetry Decompression RedirectPolicy",
    "WebSocket": "WebSocketOptions WebSocketKeepAlive WebSocketDeflate",
    "Networking": "RetryPolicy PinnedSessionOptions",
    "Revocation": "OCSPOptions RevocationOptions",
    "Servers in a program": "ChatDevServerConfiguration ChatPageServerConfiguration ReportCollectorConfiguration "
                            "ReportDeskConfiguration",
}


def parameter_docs(declaration):
    """{parameter: text} of an initializer's documentation."""
    found, current = {}, None
    for line in declaration.doc_lines:
        item = re.match(r"\s*- (?:Parameter )?(\w+): (.*)", line)
        if item and item[1] not in ("Throws", "Returns", "Note"):
            current = item[1]
            found[current] = item[2]
        elif current and line.startswith("  "):
            found[current] += " " + line.strip()
        else:
            current = None
    return {name: swiftsource.plain(text) for name, text in found.items()}


class Settings:
    """The settings of a type: its public properties, and the parameters of its public initializers."""

    def __init__(self, declarations, name):
        self.name = name
        self.members = [d for d in declarations if d.scope == [name]]
        self.inits = [d for d in self.members if d.kind == "init" and d.is_public]
        self.local = [d for d in declarations if d.scope == ["ChatLocalSettings"]]

    def properties(self):
        return [d for d in self.members if d.kind in ("let", "var") and d.is_public and not d.is_static
                and d.name not in ("description", "debugDescription", "customMirror")]

    def default(self, field):
        for d in self.members:
            if d.name == field and d.kind in ("let", "var") and d.default:
                return d.default
        for init in self.inits:
            kind, default = swiftsource.parameters(init).get(field, ("", ""))
            if default:
                return default
        if self.name == "ChatConfig":
            for init in [d for d in self.local if d.kind == "init"]:
                default = swiftsource.parameters(init).get(field, ("", ""))[1]
                if default:
                    return default
        for d in self.members:
            if d.name == field and d.kind == "var" and d.type.endswith("?"):
                return "nil"
        return ""

    def doc(self, field):
        for d in self.members:
            if d.name == field and d.kind in ("let", "var") and d.doc:
                return d.doc
        for init in self.inits:
            text = parameter_docs(init).get(field)
            if text:
                return text
        for init in self.inits:
            if field in swiftsource.parameters(init):
                return re.sub(r" - Parameters?\b.*| - Throws:.*", "", init.doc)
        return ""


def code(text):
    return f"`{text}`" if text else ""


def server_options(declarations, path):
    """The options of a command: (name, kind, help, default)."""
    text = Path(path).read_text()
    masked = swiftsource.mask(text, path)
    for found in re.finditer(r"@(Option|Flag)\b", masked):
        position = found.end()
        arguments = ""
        if masked[position] == "(":
            depth, end = 0, position
            while True:
                depth += (masked[end] == "(") - (masked[end] == ")")
                if depth == 0:
                    break
                end += 1
            arguments, position = text[position + 1:end], end + 1
        head = re.compile(r"\s*var (\w+)(?:: ([\w\[\]?.]+))?(?: = (.*))?").match(text, position)
        custom = re.search(r'\.customLong\("([\w-]+)"\)', arguments)
        name = custom[1] if custom else re.sub(r"([a-z])([A-Z])", r"\1-\2", head[1]).lower()
        literal = re.search(r'help: (?:ArgumentHelp\(\s*)?((?:"(?:[^"\\]|\\.)*"|\s|\+)+)', arguments)
        kind = "flag" if found[1] == "Flag" else "list" if (head[2] or "").startswith("[") else "text"
        yield name, kind, string(literal[1]) if literal else "", "" if kind == "flag" else head[3] or ""


def settings(declarations):
    tests = dict(line.split(" ", 1) for line in Path("scripts/settings-tests.txt").read_text().splitlines()
                 if line and not line.startswith("#"))
    values = Values(declarations)
    yield "# Every setting"
    yield ""
    yield GENERATED
    yield ""
    yield ("This page is for developers and operators who look up a setting, its default and its effect. It lists the "
           "settings of the chat SDK, of the clients, and of the servers.")
    yield ""
    yield ("[Settings of the chat SDK](../../Sources/Chat/ChatCenter/Documentation.docc/Settings.md) and [settings of "
           "the servers](../server-settings.md) explain how settings are given. The keys of a policy file are in [the "
           "policy format](../../Sources/Trust/HoldfastTrust/Documentation.docc/Policy-Format.md), the keys of a file for "
           "lint in [CI](../ci.md), and limits are on [a page of their own](limits.md).")
    yield ""
    yield "## Chat SDK"
    yield ""
    yield ("`scripts/check-settings.sh` compares these tables with the source: each setting has a test that uses it. "
           "The server can override the settings marked *server*.")
    yield ""
    local = {d.name for d in declarations if d.scope == ["ChatLocalSettings"] and d.kind == "var"}
    for name in SDK_TYPES:
        kind = Settings(declarations, name)
        yield f"### {name}"
        yield ""
        rows = []
        for field in [line.split(".")[1] for line in tests if line.startswith(name + ".")]:
            doc = kind.doc(field)
            if not doc:
                problems.append(f"{name}.{field} has no documentation")
            mark = "*server*: " if name == "ChatConfig" and field in local else ""
            rows.append([f"`{name}.{field}`", code(kind.default(field)), mark + doc, tests[f"{name}.{field}"]])
        yield from table(["setting", "default", "what it changes", "test"], rows)
    for heading, names in OTHER_TYPES.items():
        yield f"## {heading}"
        yield ""
        for name in names.split():
            kind = Settings(declarations, name)
            properties = kind.properties()
            if not properties:
                problems.append(f"scripts/reference.py: {name} has no settings")
            yield f"### {name}"
            yield ""
            yield from table(["setting", "default", "what it changes"],
                             [[f"`{d.name}`", code(kind.default(d.name)), d.doc] for d in properties])
    for heading, prefix, paths in [
        ("The collector", "HOLDFAST_COLLECTOR_", ["ServeCollectorCommand", "CollectorDeskOptions"]),
        ("The chat server", "HOLDFAST_CHAT_", ["ServeChatCommand"]),
    ]:
        yield f"## {heading}"
        yield ""
        yield "The name of a setting is an option of the command without its dashes, and a key of the settings file."
        yield ""
        rows = []
        for path in paths:
            for name, kind, text, default in server_options(declarations, f"Sources/Tool/HoldfastTool/Serve/{path}.swift"):
                if name == "config" or name in SECRET_OPTIONS:
                    continue
                if default and not default.startswith("["):
                    evaluated = values.number(default)
                    default = re.sub(r"^[A-Z]\w*\.", "", default) if evaluated is None else str(evaluated)
                rows.append([f"`{name}`", f"`{prefix}{name.upper().replace('-', '_')}`", kind,
                             code(default.strip('"') if default != "[]" else ""), text])
        yield from table(["setting", "variable", "kind", "default", "value"], rows)


# The options whose values are secrets: they have no variable.
SECRET_OPTIONS = {"token"}


# MARK: Every limit

LIMIT = re.compile(r"(?:^|[a-z])(max|Max|maximum|Maximum|limit|Limit|longest|Longest|largest|Largest|most|Most|capacity|"
                   r"Capacity)(s?$|[A-Z])")
# Names that look like limits but are something else.
NOT_LIMITS = {"Punycode.maximumThreshold", "PageWriter.largestExact", "OriginPool.noLimit"}
# What the limits of a folder protect. The first prefix that matches decides.
GROUPS = [
    ("Sources/Trust/HoldfastTrust/Verification/VerificationBudget", "One evaluation of a server", ""),
    ("Sources/Trust/HoldfastTrust/Revocation", "Revocation lists and OCSP answers", ""),
    ("Sources/Trust/HoldfastTrust/Transparency", "Certificate transparency", ""),
    ("Sources/Trust/HoldfastTrust/Bundles", "Policies over the network", ""),
    ("Sources/Trust/HoldfastTrust/SystemRoots", "Certificates, keys and hosts", ""),
    ("Sources/Trust/HoldfastTrust/Reports", "Reports of failed pins", ""),
    ("Sources/Trust/HoldfastTrust/Policy", "Policy files and JSON", ""),
    ("Sources/Trust/HoldfastTrust/JSON", "Policy files and JSON", ""),
    ("Sources/Trust/HoldfastTrust/Diagnostics", "Policy files and JSON", ""),
    ("Sources/Trust/HoldfastFormats", "Policy files and JSON", ""),
    ("Sources/Trust", "Certificates, keys and hosts", ""),
    ("Sources/Transport/HoldfastWebSocket", "WebSocket connections", ""),
    ("Sources/Transport/HoldfastTransport/Reporting", "Reports of failed pins", ""),
    ("Sources/Transport/HoldfastTransport/Bundles", "Policies over the network", ""),
    ("Sources/Transport/HoldfastTransport/Transfer", "Uploads and downloads", ""),
    ("Sources/Transport", "Connections and responses of the HTTP client", ""),
    ("Sources/Surfaces", "Networking and credentials", ""),
    ("Sources/Chat/ChatPage", "The chat page", ""),
    ("Sources/Chat/ChatCenterUI", "The chat screen", ""),
    ("Sources/Chat", "The chat SDK: memory, disk and the server's answers", ""),
    ("Sources/Servers/ChatPageServer", "The server of the chat page", ""),
    ("Sources/Servers/ChatDevServer", "The chat server", ""),
    ("Sources/Servers/ChatServerCore", "The chat server", ""),
    ("Sources/Servers/ServerKit", "All servers", ""),
    ("Sources/Servers", "The collector and the report desk", ""),
    ("Sources/Tool", "The tool", ""),
    ("Sources/Base", "Files", ""),
]


class Values:
    """Evaluates constant expressions of the sources."""

    DURATIONS = {"seconds": 1.0, "milliseconds": 0.001, "minutes": 60.0, "hours": 3600.0, "days": 86400.0}

    def __init__(self, declarations):
        self.constants = {d.full: d.default for d in declarations if d.kind in ("let", "var") and d.default}
        self.inits = {}
        for d in declarations:
            if d.kind == "init":
                for name, (_, default) in swiftsource.parameters(d).items():
                    if default:
                        self.inits.setdefault((".".join(d.scope), name), default)

    def number(self, text, scope=(), depth=0):
        """The number of an expression, or `None`."""
        if depth > 5:
            return None
        text = text.strip()
        known = re.fullmatch(r"(\w+)\(\)\.(\w+)", text)
        if known:
            default = self.constants.get(f"{known[1]}.{known[2]}") or self.inits.get((known[1], known[2]))
            return self.number(default, [known[1]], depth + 1) if default else None

        def reference(match):
            name = match[0]
            for full in (".".join([*scope, name.removeprefix("Self.")]), name):
                if full in self.constants:
                    value = self.number(self.constants[full], full.split(".")[:-1], depth + 1)
                    if value is not None:
                        return str(value)
            raise KeyError(name)

        try:
            expression = re.sub(r"\b[A-Za-z_][\w.]*", reference, text)
            if not re.fullmatch(r"[\d_.\s+*<>()-]+", expression):
                return None
            # In Swift, << binds more tightly than other operators.
            expression = re.sub(r"(\d[\d_]*) << (\d+)", r"(\1 << \2)", expression)
            value = eval(expression)  # noqa: S307: only digits and operators
            return int(value) if value == int(value) else value
        except (KeyError, SyntaxError):
            return None

    def text(self, declaration, expression, scope):
        """The number with its unit, or `None`."""
        duration = re.fullmatch(r"(?:Duration|TimeAmount)?\.(\w+)\((.*)\)", expression)
        if duration and duration[1] in self.DURATIONS:
            value = self.number(duration[2], scope)
            return None if value is None else seconds(value * self.DURATIONS[duration[1]])
        span = re.fullmatch(r"(\S+)\.\.\.(\S+)", expression)
        if span:
            ends = [self.number(part, scope) for part in span.groups()]
            return None if None in ends else f"{ends[0]:,} to {ends[1]:,}"
        value = self.number(expression, scope)
        if value is None:
            return None
        doc = declaration.doc
        for unit, size in (("nanoseconds", 1e9), ("milliseconds", 1e3), ("seconds", 1)):
            if re.search(rf"\b(in|number of) {unit}\b", doc) and not re.search(r"[bB]ytes$|version", declaration.name):
                return seconds(value / size)
        first = doc.split(". ")[0]
        if re.search(r"[bB]ytes$|[sS]ize$|(size|byte|Size)Limit$|(?<!Per)Window$", declaration.name) and not re.search(
                r"^The maximum number of (?!.*\bbytes\b)", first) or re.search(
                r"\bin bytes\b|number of (\w+ )*bytes\b|(maximum|largest) (total )?size\b", first):
            for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
                if value >= size and value % size == 0:
                    return f"{value // size:,} {unit}"
            return f"{value:,} bytes"
        return f"{value:,}"


def seconds(value):
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if value >= size and value % size == 0:
            return f"{int(value // size):,} {unit}{'s' if value > size else ''}"
    return f"{value:,.10g} s" if value >= 1 or not value else f"{value * 1000:,.10g} ms"


def limits(declarations):
    values = Values(declarations)
    types = {d.full: d for d in declarations if d.kind in ("struct", "enum", "class", "actor", "extension", "protocol")
             and (d.kind != "extension" or d.doc)}
    rows = {}
    for d in declarations:
        if d.kind not in ("let", "var") or not d.scope or d.full in NOT_LIMITS or d.module == "HoldfastFormats" and (
                "Code" in d.scope) or d.scope[-1] == "Code":
            continue
        owner = ".".join(d.scope)
        in_limits = re.search(r"(Limits|Budget)$", d.scope[-1]) and d.scope[-1] != "FrameBudget"
        public_setting = d.is_public and not d.is_static and LIMIT.search(d.name) and not in_limits
        expression = d.default
        if not expression and not d.is_static and (in_limits or public_setting):
            expression = values.inits.get((owner, d.name), "")
        constant = d.kind == "let" and d.default and LIMIT.search(d.name)
        if not (d.is_static and LIMIT.search(d.name) or in_limits or public_setting or constant):
            continue
        if d.is_static and in_limits and expression.startswith(d.scope[-1] + "("):
            continue  # A preset, such as JSONLimits.frame.
        if d.is_static and not expression:
            body = computed(d)
            expression = body or ""
        if not expression or expression == "nil":
            if not d.is_static:
                continue  # Set by the caller, without a default.
        shown = values.text(d, expression, d.scope)
        if shown is None:
            if re.search(r"\w+Limits\b|RemoteNumber|didSet|\bmin\(|\bmax\(", expression or "Limits") or d.type.endswith(
                    "Limits"):
                continue
            problems.append(f"{d.path}:{d.line}: the number of {d.full} cannot be read: {expression}")
            continue
        doc = d.doc
        if not doc:
            problems.append(f"{d.path}:{d.line}: {d.full} has no documentation")
        error = d.field("Error") or (types[owner].field("Error") if owner in types else "")
        group = next(g for g in GROUPS if d.path.startswith(g[0]))[1]
        rows.setdefault(group, []).append((not d.is_public, d.module, owner, d.line, [f"`{d.full}`", shown, doc, error]))
    yield "# Every limit and its number"
    yield ""
    yield GENERATED
    yield ""
    yield ("This page is for developers and operators who need to know how much of something Holdfast accepts, keeps or "
           "sends. The numbers are the defaults in the source. A limit of a public type can be changed where the type "
           "is a setting; the others are constants.")
    yield ""
    yield ("The last column says what reports that the limit is exceeded. Without an entry, the description says what "
           "happens: for example, the oldest entry is removed, or further ones wait.")
    yield ""
    order = list(dict.fromkeys(g[1] for g in GROUPS))
    for group in order:
        if group in rows:
            yield f"## {group}"
            yield ""
            yield from table(["limit", "number", "what it limits", "reported by"],
                             [row[-1] for row in sorted(rows[group], key=lambda r: r[:4])])


def computed(declaration):
    """The expression of a computed constant: `static var limit: Int { 4_096 }`."""
    text = Path(declaration.path).read_text().split("\n")[declaration.line - 1]
    found = re.search(r"\{ ([^{}]+) \}", text)
    return found[1] if found else ""


def articles(text):
    """Returns a text in which links of DocC to articles are links to their files, with their titles."""
    def link(found):
        files = sorted(Path("Sources").glob(f"*/*/Documentation.docc/{found[1]}.md"))
        if len(files) != 1:
            problems.append(f"{found[0]}: there is no such article, or there are several")
            return found[0]
        title = files[0].read_text().split("\n")[0].removeprefix("# ").replace("`", "")
        return f"[{title}]({os.path.relpath(files[0], FOLDER)})"
    return re.sub(r"<doc:([^>/]+)>", link, text)


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit("usage: scripts/reference.py [--check]")
    declarations = load()
    outdated = []
    for name, page in [("refusals", refusals), ("settings", settings), ("errors", errors), ("limits", limits)]:
        text = articles("\n".join(page(declarations)).rstrip("\n") + "\n")
        path = FOLDER / f"{name}.md"
        if not path.exists() or path.read_text() != text:
            outdated.append(str(path))
            if not check:
                FOLDER.mkdir(exist_ok=True)
                path.write_text(text)
    for problem in problems:
        print(f"reference: {problem}", file=sys.stderr)
    if check and outdated:
        print(f"reference: {', '.join(outdated)} out of date: run scripts/reference.py", file=sys.stderr)
    if problems or check and outdated:
        raise SystemExit(1)
    print("reference: the pages are up to date" if check else f"reference: wrote {', '.join(outdated) or 'nothing'}")


main()
