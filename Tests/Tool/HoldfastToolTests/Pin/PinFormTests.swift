import ChatDevServer
import Foundation
import HoldfastFormats
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// Pins printed in formats for pasting.
@Suite("holdfast pin: formats for pasting") struct PinFormTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns an Ed25519 key that depends only on the number.
    private func key(_ number: UInt8) throws -> String {
        let prefix: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        return try folder.file("key-\(number).der", prefix + Array(repeating: number, count: 32))
    }

    private func pin(_ arguments: String...) async -> ToolOutcome { await ToolOutcome.of(["pin"] + arguments) }

    /// The tool prints the Swift code of ``pastedPolicy()``, and the code compiles.
    @Test("the Swift code compiles and creates the policy")
    func swift() async throws {
        let outcome = await pin(try key(1), try key(2), "--swift", "--host", "api.example.com")
        #expect(outcome.status == .success && outcome.notes.isEmpty, "\(outcome.notes)")
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "PastedPolicy.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let pasted = lines.drop { !$0.hasPrefix("// Pasted from") }.dropFirst().prefix { !$0.hasPrefix("// Pasted up") }
        // The formatter may break lines elsewhere.
        func words(_ lines: some Sequence<String>) -> String { lines.joined().filter { $0 != " " } }
        #expect(words(outcome.lines.map { $0.trimmingCharacters(in: .whitespaces) }) == words(pasted))
        let policy = try pastedPolicy()
        #expect(policy.rules(covering: try CanonicalHost("api.example.com")).first?.pins.count == 2)
    }

    @Test("parsing each configuration returns the same pins", arguments: [PinForm.policy, .trustkit, .android])
    func configurations(_ form: PinForm) async throws {
        let outcome = await pin(try key(1), try key(2), "--\(form.rawValue)", "--host", "api.example.com")
        #expect(outcome.status == .success && outcome.notes.isEmpty, "\(outcome.notes)")
        let document = PolicyFormats.read(Array(outcome.output.utf8))
        let policy = try document.policy()
        #expect(policy.rules.map(\.pattern) == [try HostPattern("api.example.com")])
        #expect(policy.rules.map(\.pins) == (try pastedPolicy().rules.map(\.pins)))
        #expect(PolicyLint.check(document, at: CertificateFactory.referenceTime).allSatisfy { $0.severity != .error })
    }

    @Test("OkHttp's builder has a line for each pin")
    func okHttp() async throws {
        let outcome = await pin(try key(1), try key(2), "--okhttp", "--host", "*.example.com")
        let pins = try pastedPolicy().rules.flatMap(\.pins.sorted)
        #expect(outcome.lines.first == "val certificatePinner = CertificatePinner.Builder()")
        #expect(outcome.lines.last == "    .build()")
        for pin in pins { #expect(outcome.output.contains(".add(\"*.example.com\", \"\(pin)\") // public key\n")) }
    }

    @Test("a single key is printed with a warning, and the output is valid")
    func singleKey() async throws {
        let swift = await pin(try key(1), "--swift", "--host", "api.example.com")
        #expect(swift.status == .success && swift.output.contains("backupPins: .warn)"))
        #expect(swift.notes.contains("one pin and no backup"))
        let policy = await pin(try key(1), "--policy", "--host", "api.example.com")
        #expect(try PinningPolicy(holdfastJSON: Array(policy.output.utf8)).warnings.count == 1)
    }

    @Test("without --host the first name of the first certificate is used")
    func hostOfACertificate() async throws {
        let factory = CertificateFactory()
        let leaf = try factory.leaf(["shop.example", "www.shop.example"], signedBy: try factory.authority("Root"))
        let file = try folder.file("leaf.pem", leaf.certificatePEM)
        let outcome = await pin(file, try key(1), "--policy")
        let policy = try PinningPolicy(holdfastJSON: Array(outcome.output.utf8))
        #expect(policy.rules.map(\.pattern) == [try HostPattern("shop.example")])
        #expect(
            policy.rules.first?.pins.pins.contains(Pin(leaf.spkiDigest)) == true && policy.rules.first?.pins.count == 2)
        #expect(await pin(try key(1), "--swift").notes.contains("--host api.example.com"))
    }

    @Test("file keys are added to a server's keys, and an untrusted server is reported")
    func server() async throws {
        let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
        let identity = try authority.identity(for: .genuine)
        let backup = try key(1)
        let outcome = try await CertificateScenarioServer.with(presenting: identity) { server in
            await pin("https://127.0.0.1:\(server.port)/path", backup, "--policy")
        }
        #expect(outcome.notes.contains("the system verification fails"))
        let policy = try PinningPolicy(holdfastJSON: Array(outcome.output.utf8))
        #expect(policy.rules.map(\.host.text) == ["127.0.0.1"])
        #expect(policy.rules.first?.pins.count == 3)
    }

    /// Java interprets escapes inside comments, and a subject is untrusted text.
    @Test("nothing in a certificate's subject becomes code")
    func hostileSubject() async throws {
        let name = "x\\u000a; evil() //\n*/ \"); -->\u{202E}"
        let hostile = try CertificateFactory().authority(name)
        let file = try folder.file("hostile.pem", hostile.certificatePEM)
        for form in [PinForm.swift, .okhttp] {
            let outcome = await pin(file, try key(1), "--\(form.rawValue)", "--host", "a.example")
            #expect(outcome.status == .success, "\(outcome.notes)")
            let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: " =.,*:()+@_?-"))
            let comments = outcome.lines.filter { $0.contains("CN=") }.map {
                $0.components(separatedBy: "// ").dropFirst()
            }
            #expect(comments.map(\.count) == [1])
            for scalar in comments.joined().joined().unicodeScalars {
                #expect(scalar.isASCII && plain.contains(scalar), "\(scalar)")
            }
        }
    }

    @Test("the formats cannot be combined with each other or JSON, and --host needs one")
    func commandLine() async throws {
        let file = try key(1)
        for arguments in [["--swift", "--policy"], ["--swift", "--json"], ["--host", "a.example"]] {
            #expect(await ToolOutcome.of(["pin", file] + arguments).status == .usage, "\(arguments)")
        }
    }
}
