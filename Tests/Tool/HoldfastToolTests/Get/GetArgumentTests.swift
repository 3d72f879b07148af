import ArgumentParser
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// The command line of `holdfast get`: errors, and the effect of options.
@Suite("Tool: get, arguments") struct GetArgumentTests {
    private static let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    private static let url = "https://a.example/"

    /// Unusable URLs. No error repeats a part of the URL that may be secret.
    @Test(arguments: [
        ("a.example", "must begin with https://"), ("wss://a.example/", "must begin with https://"),
        ("hunter2?https://a.example/", "must begin with https://"), ("https://", "The URL has no host"),
        ("https://user:hunter2@a.example/", "user information; give credentials with --header @FILE"),
        ("https://a.example:hunter2/", "The port is not a number"),
        ("https://a.example/hunter2 HTTP/1.1\r\nX: y", "must be percent-encoded"),
        ("https://a..example/", "The host cannot be used"), ("http://a.example/?hunter2", "[cleartextRefused]"),
    ])
    func unusableURLs(url: String, words: String) async {
        let outcome = await GetStage.run([url])
        #expect(outcome.status == .usage && outcome.output.isEmpty, "\(outcome.notes)")
        #expect(outcome.notes.contains(words) && !outcome.notes.contains("hunter2"), "\(outcome.notes)")
    }

    @Test(arguments: [
        (["--method", "GET /hunter2 HTTP/1.1\r\nX: y"], "not a valid method name"),
        (["--method", "CONNECT"], "[invalidRequest]"),
        (["--header", "hunter2"], "a header field must have the form"),
        (["--header", "A: b\r\nX: hunter2"], "the value of A contains an invalid character"),
        (["--header", "A\r\nX: hunter2"], "not a valid header field name"),
        (["--user-agent", "a\r\nX: hunter2"], "--user-agent: the text contains an invalid character"),
        (["--user-agent", "a", "--header", "User-Agent: b"], "two values for User-Agent"),
        (["--header", "Host: hunter2"], "[invalidRequest]"),
        (["--header", "Transfer-Encoding: hunter2"], "[invalidRequest]"),
        (["--header", "Range: bytes=1-", "--output", "/tmp/holdfast-never-written"], "[invalidRequest]"),
        (["--data", "a", "--data-file", "b"], "cannot be combined"),
        (["--data", "@-", "--policy", "-"], "Standard input can be given only once"),
        (["--head", "--data", "a"], "--head cannot be combined"), (["--head", "--fail"], "cannot be combined"),
        (["--continue"], "need --output"), (["--force"], "need --output"),
        (["--output", "f", "--continue", "--force"], "contradict each other"),
        (["--output", "f", "--continue", "--data", "a"], "need --output and a GET request"),
        (["--output", "f", "--continue", "--compressed"], "need --output and a GET request"),
        (["--output", "f", "--method", "POST", "--retries", "1"], "need --output and a GET request"),
        (["--sha256", "00"], "need --output and a GET request"),
        (["--output", "-", "--sha256", "00"], "--sha256 must have 64 hexadecimal digits"),
        (["--output", "-", "--retries", "1"], "need a regular file"),
        (["--json", "--include"], "cannot be combined"), (["--http1", "--http2"], "contradict each other"),
        (["--max-size", "0"], "--max-size"), (["--max-redirects", "51"], "--max-redirects"),
        (["--max-redirects", "-1"], "--max-redirects"), (["--idle-timeout", "0"], "--idle-timeout"),
        (["--max-time", "0"], "--max-time"), (["--output", "f", "--retries", "-1"], "--retries"),
        (["--timeout", "0"], "--timeout"), (["--proxy", "ftp://a"], "--proxy"),
        (["--connect-to", "a b"], "--connect-to"),
        (["--pin", "sha256/short"], "expected 44"), (["--pin", pin, "--policy", "p.json"], "cannot be combined"),
        (["--cert", "c.pem"], "must be given together"),
        (["--resolve", "a.example:443:192.0.2.1", "--connect-to", "192.0.2.1"], "cannot be combined"),
        (["--resolve", "a.example:443:192.0.2.1", "--proxy", "http://p.example"], "the proxy resolves names"),
        (["--resolve", "a.example"], "must have the form HOST:PORT:ADDRESS"),
        (["--resolve", "a.example:443"], "must have the form HOST:PORT:ADDRESS"),
        (["--resolve", "a.example:0:192.0.2.1"], "must be 1 to 65535"),
        (["--resolve", "a.example:443:b.example"], "must end with an IP address"),
        (["--resolve", "a..example:443:192.0.2.1"], "--resolve: the host"),
        (["--resolve", "localhost:443:192.0.2.1"], "always leads to this machine"),
        (["--resolve", "a.example:1:192.0.2.1", "--resolve", "A.example:1:192.0.2.2"], "two addresses"),
    ])
    func mistakes(arguments: [String], words: String) async {
        let outcome = await GetStage.run([Self.url] + arguments)
        #expect(outcome.status == .usage && outcome.output.isEmpty, "\(outcome.notes)")
        #expect(outcome.notes.contains(words) && !outcome.notes.contains("hunter2"), "\(outcome.notes)")
    }

    @Test(arguments: [
        ["--pin", pin], ["--policy", "p.json"], ["--trusted-certificates", "f"], ["--trust-anchors", "r.pem"],
        ["--at", "2026-01-01T00:00:00Z"], ["--cert", "c.pem", "--key", "k.pem"],
    ])
    func optionsOfTLS(arguments: [String]) async throws {
        let outcome = await GetStage.run(["http://127.0.0.1/"] + arguments)
        let option = try #require(arguments.first)
        #expect(outcome.status == .usage && outcome.notes.contains("\(option) applies to TLS: the URL must begin"))
    }

    @Test(arguments: [
        (["--policy", "/missing/policy.json"], "cannot open '/missing/policy.json'"),
        (["--trust-anchors", "/missing/root.pem"], "/missing/root.pem"),
        (["--header", "@/missing/fields"], "cannot open '/missing/fields'"),
        (["--data", "@/missing/body"], "cannot open '/missing/body'"),
        (["--data-file", "/"], "'/' is a folder"),
        (["--cert", "/missing/c.pem", "--key", "/missing/k.pem"], "--cert and --key: "),
    ])
    func missingFiles(arguments: [String], words: String) async {
        let outcome = await GetStage.run([Self.url] + arguments)
        #expect(outcome.status == .unusableInput && outcome.notes.contains(words), "\(outcome.notes)")
    }

    @Test(arguments: [
        ("a.example:443:192.0.2.1", "a.example:443", "192.0.2.1"), ("A.EXAMPLE:8443:::1", "a.example:8443", "::1"),
        ("[2001:db8::1]:443:[2001:db8::2]", "[2001:db8::1]:443", "2001:db8::2"),
    ])
    func addresses(argument: String, server: String, address: String) throws {
        let entry = try ResolveArgument(argument)
        #expect(entry.server.description == server && entry.address == address)
    }

    private static func parse(_ arguments: String...) throws -> GetCommand {
        try GetCommand.parse([url] + arguments)
    }

    @Test func plans() throws {
        let plain = try Self.parse().plan()
        #expect(plain.redirects == .follow() && plain.idleTimeout == .seconds(30) && plain.totalTimeout == nil)
        #expect(plain.resumption == .automatic && plain.maximumBytes == nil && plain.retries == 4)
        #expect(!plain.requestOptions.decompression.isOn)
        let command = try Self.parse(
            "--max-redirects", "2", "--idle-timeout", "5", "--max-time", "6", "--max-size", "7", "--compressed",
            "--header", "X-Key: a", "--header", "Accept: b", "--fail", "--verbose")
        let set = try command.plan(try command.givenFields())
        let key = try #require(HTTPField.Name("x-key"))
        #expect(set.redirects == .follow(limit: 2, credentialFields: [key]))
        #expect(set.requestOptions.idleTimeout == .seconds(5) && set.requestOptions.totalTimeout == .seconds(6))
        #expect(set.maximumBytes == 7 && set.omitsErrors && set.isVerbose && set.requestOptions.decompression.isOn)
        #expect(try Self.parse("--max-redirects", "0").plan().redirects == .deliver)
        #expect(try Self.parse("--output", "f", "--continue", "--retries", "0").plan().resumption == .keeps)
        #expect(try Self.parse("--output", "f", "--force").plan().resumption == .startsAgain)
    }

    @Test func configurations() throws {
        let folder = try TemporaryFolder()
        let leaf = try CertificateFactory().leaf(["device.example"], signedBy: nil)
        let cert = try folder.file("c.pem", leaf.chainPEM)
        let key = try folder.file("k.pem", leaf.privateKeyPEM)
        func configuration(_ arguments: String...) throws -> TransportConfiguration {
            let command = try GetCommand.parse([Self.url] + arguments)
            return try command.configuration(
                try command.connection.prober(trust: .system), for: try GetTarget(command.url))
        }
        let plain = try configuration()
        #expect(plain.httpVersions == .automatic && plain.clientIdentity == nil && !plain.dangerouslyAllowsCleartext)
        let set = try configuration(
            "--http1", "--dangerously-allow-cleartext", "--cert", cert, "--key", key, "--timeout", "3")
        #expect(set.httpVersions == .http1Only && set.clientIdentity != nil && set.dangerouslyAllowsCleartext)
        #expect(set.connectTimeout == .seconds(3) && set.tlsTimeout == .seconds(3) && set.proxyTimeout == .seconds(3))
        #expect(try configuration("--http2").httpVersions == .http2Only)
    }

    /// Closing the pipe at standard output ends the command, unless it writes only a file.
    @Test func theOutputIsWatched() throws {
        #expect(try Self.parse().isLongRunning && Self.parse("--output", "-").isLongRunning)
        #expect(try !Self.parse("--output", "f").isLongRunning && Self.parse("--output", "f", "--json").isLongRunning)
    }
}
