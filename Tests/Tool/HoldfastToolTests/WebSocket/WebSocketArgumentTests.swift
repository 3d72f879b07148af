import ArgumentParser
import HoldfastTestSupport
import HoldfastTransport
import HoldfastWebSocket
import Testing

@testable import HoldfastTool

/// The command line of `holdfast ws`: errors, and the effect of each option.
@Suite("Tool: ws, arguments") struct WebSocketArgumentTests {
    private static let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    @Test(arguments: [
        (["https://a.example/"], "must begin with ws: or wss:"), (["a.example"], "the URL cannot be used"),
        (["wss://user:hunter2@a.example/"], "user information"),
        (["wss://a.example/?hunter2#x"], "must not have a fragment"),
        (["wss://a.example:hunter2/"], "The port is not a number"), ([], "Missing expected argument"),
        (["ws://127.0.0.1/", "--pin", pin], "--pin applies to TLS"),
        (["ws://127.0.0.1/", "--policy", "p.json"], "--policy applies to TLS"),
        (["ws://127.0.0.1/", "--trusted-certificates", "folder"], "--trusted-certificates applies to TLS"),
        (["ws://127.0.0.1/", "--trust-anchors", "root.pem"], "--trust-anchors applies to TLS"),
        (["ws://127.0.0.1/", "--at", "2026-01-01T00:00:00Z"], "--at applies to TLS"),
        (["ws://127.0.0.1/", "--cert", "c.pem", "--key", "k.pem"], "--cert applies to TLS"),
        (
            ["wss://a.example/", "--trusted-certificates", "folder", "--trust-anchors", "root.pem"],
            "--trusted-certificates and --trust-anchors cannot be combined"
        ),
        (["ws://a.example/?hunter2"], "[cleartextRefused]"),
        (["wss://a.example/", "--pin", "sha256/short"], "has 5 characters after sha256/, expected 44"),
        (["wss://a.example/", "--pin", pin, "--policy", "p.json"], "cannot be combined"),
        (["wss://a.example/", "--policy", "-"], "Standard input is used for messages"),
        (["wss://a.example/", "--policy-format", "holdfast"], "--policy-format needs --policy"),
        (["wss://a.example/", "--cert", "c.pem"], "must be given together"),
        (["wss://a.example/", "--header", "hunter2"], "a header field must have the form 'Name: value'"),
        (["ws://127.0.0.1:1/", "--header", "Upgrade: hunter2"], "[invalidOptions]"),
        (["ws://127.0.0.1:1/", "--subprotocol", "a b"], "[invalidOptions]"),
        (["wss://a.example/", "--max-message-size", "0"], "--max-message-size"),
        (["wss://a.example/", "--keep-alive", "-1"], "--keep-alive"),
        (["wss://a.example/", "--count", "0"], "--count"),
        (["wss://a.example/", "--wait", "-1"], "--wait"), (["wss://a.example/", "--wait", "nan"], "--wait"),
        (["wss://a.example/", "--timeout", "0"], "--timeout"), (["wss://a.example/", "--proxy", "ftp://a"], "--proxy"),
        (["wss://a.example/", "--connect-to", "a b"], "--connect-to"),
    ])
    func mistakes(arguments: [String], words: String) async {
        let transcript = Transcript()
        let status = await ToolRun(console: transcript.console).run(["ws"] + arguments)
        #expect(status == .usage, "\(transcript.notes)")
        #expect(transcript.notes.contains(words), "\(transcript.notes)")
        #expect(!transcript.notes.contains("hunter2") && transcript.output.isEmpty, "\(transcript.notes)")
    }

    @Test(arguments: [
        (["--policy", "/missing/policy.json"], "cannot open '/missing/policy.json'"),
        (["--trust-anchors", "/missing/root.pem"], "/missing/root.pem"),
        (["--header", "@/missing/fields"], "cannot open '/missing/fields'"),
        (["--cert", "/missing/c.pem", "--key", "/missing/k.pem"], "--cert and --key: "),
    ])
    func missingFiles(arguments: [String], words: String) async {
        let transcript = Transcript()
        let status = await ToolRun(console: transcript.console).run(["ws", "wss://a.example/"] + arguments)
        #expect(status == .unusableInput && transcript.notes.contains(words), "\(transcript.notes)")
    }

    /// The forms of `holdfast pin` and curl; a base64 digest may itself begin with a slash. What is missing follows.
    @Test(arguments: ["", "sha256/", "sha256//"], ["A", "/"])
    func formsOfAPin(prefix: String, first: String) async {
        let pin = prefix + first + Self.pin.dropFirst("sha256/A".count)
        let transcript = Transcript()
        let status = await ToolRun(console: transcript.console).run(
            ["ws", "wss://a.example/", "--pin", pin, "--header", "@/missing/fields"])
        #expect(status == .unusableInput && transcript.notes.contains("/missing/fields"), "\(transcript.notes)")
    }

    private static func parse(_ arguments: String...) throws -> WebSocketCommand {
        try WebSocketCommand.parse(["wss://a.example/"] + arguments)
    }

    @Test func options() throws {
        let plain = try Self.parse().webSocketOptions()
        #expect(plain.keepAlive == WebSocketKeepAlive(interval: .seconds(30)) && plain.deflate == nil)
        #expect(plain.limits == WebSocketLimits() && plain.upgradeTimeout == .seconds(10) && plain.subprotocols.isEmpty)
        let set = try Self.parse(
            "--keep-alive", "5", "--deflate", "--max-message-size", "1000", "--timeout", "3", "--subprotocol", "a",
            "--header", "A: b"
        ).webSocketOptions()
        #expect(set.keepAlive == WebSocketKeepAlive(interval: .seconds(5)) && set.deflate == WebSocketDeflate())
        #expect(set.limits.maximumMessageSize == 1000 && set.limits.maximumFrameSize == 1000)
        #expect(set.upgradeTimeout == .seconds(3) && set.subprotocols == ["a"] && set.headers.count == 1)
        #expect(try Self.parse("--keep-alive", "0").webSocketOptions().keepAlive == nil)
    }

    @Test func plans() throws {
        let pipe = Transcript().console
        let terminal = Console(output: { _ in }, notes: { _ in }, isInteractive: true, inputIsTerminal: true)
        #expect(try Self.parse().plan(for: pipe) == WebSocketPlan(count: nil, quiet: .seconds(1)))
        #expect(try Self.parse("--count", "3").plan(for: pipe) == WebSocketPlan(count: 3, quiet: .seconds(30)))
        #expect(
            try Self.parse("--commands", "--wait", "0.5", "--timeout", "7").plan(for: pipe)
                == WebSocketPlan(takesCommands: true, quiet: .milliseconds(500), pongTimeout: .seconds(7)))
        #expect(
            try Self.parse().plan(for: terminal)
                == WebSocketPlan(isPrompt: true, takesCommands: true, quiet: .seconds(1)))
    }

    @Test func configurations() throws {
        let folder = try TemporaryFolder()
        let leaf = try CertificateFactory().leaf(["device.example"], signedBy: nil)
        let cert = try folder.file("c.pem", leaf.chainPEM)
        let key = try folder.file("k.pem", leaf.privateKeyPEM)
        func configuration(_ arguments: [String]) throws -> (
            cleartext: Bool, identity: Bool, proxied: Bool, overrides: Int
        ) {
            let command = try WebSocketCommand.parse(["wss://a.example/"] + arguments)
            let target = try WebSocketTarget(command.url)
            let made = try command.configuration(try command.options.prober(trust: .system), for: target)
            let proxy = made.proxies.proxy(for: target.server.host, port: 443, isSecure: true)
            return (made.dangerouslyAllowsCleartext, made.clientIdentity != nil, proxy != nil, made.hostOverrides.count)
        }
        #expect(try configuration([]) == (false, false, false, 0))
        #expect(
            try configuration([
                "--dangerously-allow-cleartext", "--cert", cert, "--key", key, "--proxy", "http://proxy.example:3128",
                "--connect-to", "192.0.2.1",
            ]) == (true, true, true, 1))
    }
}
