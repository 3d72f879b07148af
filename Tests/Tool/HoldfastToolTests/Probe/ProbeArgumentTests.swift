import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast probe: arguments") struct ProbeArgumentTests {
    @Test(arguments: [
        ("shop.example", "shop.example:443"), ("SHOP.example.:8443", "shop.example:8443"), ("[::1]", "[::1]:443"),
        ("[2001:DB8::1]:8443", "[2001:db8::1]:8443"), ("::1", "[::1]:443"), ("127.0.0.1:1", "127.0.0.1:1"),
        ("https://shop.example/a?b#c", "shop.example:443"), ("HTTPS://shop.example:444", "shop.example:444"),
        ("wss://shop.example:65535/socket", "shop.example:65535"), ("localhost", "localhost:443"),
    ]) func parsesServers(_ text: String, _ expected: String) throws {
        #expect(try ProbeTarget(text).description == expected)
    }

    @Test(arguments: [
        "", ":443", "shop.example:", "shop.example:0", "shop.example:65536", "shop.example:99999999999999999999",
        "shop.example:-1", "shop.example:４４３", "shop.example:44a", "[::1", "[::1]443", "[::1]:", "[]", "1:2:3",
        "http://shop.example", "ftp://shop.example", "https://", "https://user:secret@shop.example", "two words",
        "http://user:secret@shop.example", "user:secret@shop.example",
        "https://user:secret/a@shop.example", "user:1@secret@shop.example",
        "\u{1B}[31m", "shop.example/path",
    ]) func invalidServerIsAUsageError(_ text: String) async {
        let outcome = await ToolOutcome.of("probe", "--", text)
        #expect(outcome.status == .usage)
        #expect(outcome.output.isEmpty)
        #expect(!outcome.notes.isEmpty)
        #expect(!outcome.notes.contains("secret"))
        #expect(!outcome.notes.contains("\u{1B}"))
    }

    @Test(arguments: [
        ["probe"], ["probe", "a.example", "--expect", "maybe"], ["probe", "a.example", "--format", "xml"],
        ["probe", "a.example", "--timeout", "0"], ["probe", "a.example", "--timeout", "601"],
        ["probe", "a.example", "--interval", "5"], ["probe", "a.example", "--rounds", "1"],
        ["probe", "a.example", "--watch", "--interval", "0"], ["probe", "a.example", "--watch", "--rounds", "0"],
        ["probe", "a.example", "--watch", "--at", "2031-01-01"], ["probe", "a.example", "--json", "--format", "text"],
        ["probe", "a.example", "--policy", "p", "--trusted-certificates", "d"],
        ["probe", "a.example", "--trusted-certificates", "d", "--expect", "block"],
        ["probe", "a.example", "--trusted-certificates", "d", "--watch"],
        ["probe", "a.example", "--policy-format", "okhttp"], ["probe", "a.example", "--warn-days", "-1"],
        ["probe", "a.example", "--warn-days-policy", "3"], ["probe", "a.example", "--connect-to", "two words"],
        ["probe", "a.example", "--proxy", "ftp://proxy.example"], ["probe", "--hosts", "-", "--policy", "-"],
        ["probe", "a.example", "--keys", "k"],
    ]) func invalidOptionsAreAUsageError(_ arguments: [String]) async {
        let transcript = Transcript()
        let status = await ToolRun(console: transcript.console).run(arguments)
        #expect(status == .usage, "\(transcript.notes)")
        #expect(transcript.output.isEmpty)
    }

    @Test func invalidPolicyIsReportedWithPositions() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "bad.json",
            """
            {
              "holdfast": 1,
              "name": "bad",
              "domains": [
                {"host": "two words", "pins": ["sha256/AAAA"]}
              ]
            }
            """)
        let outcome = await ToolOutcome.of("probe", "shop.example", "--policy", file)
        outcome.expectUnusable("bad.json:5:")
        #expect(outcome.notes.contains("domains[0]"))
        await ToolOutcome.of("probe", "shop.example", "--policy", folder.path + "/none").expectUnusable("none")
    }

    @Test func aFileOfServersIsReadWithLines() async throws {
        let folder = try TemporaryFolder()
        let bad = try folder.file("hosts", "a.example\n\nb.example:0\n")
        await ToolOutcome.of("probe", "--hosts", bad).expectUnusable("hosts:3: ")
        let binary = try folder.file("binary", [0xFF, 0xFE, 0x41])
        await ToolOutcome.of("probe", "--hosts", binary).expectUnusable("UTF-8")
        let many = try folder.file("many", (0...1_000).map { "h\($0).example" }.joined(separator: "\n"))
        await ToolOutcome.of("probe", "--hosts", many).expectUnusable("more than 1000")
        let empty = try folder.file("empty", "# none\n")
        #expect(await ToolOutcome.of("probe", "--hosts", empty).status == .usage)
    }

    @Test func unreadableAnchorsAreAnError() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("roots.pem", "nothing")
        await ToolOutcome.of("probe", "a.example", "--trust-anchors", file).expectUnusable("roots.pem")
    }
}
