import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// The work of an operator: keys, a signed policy, and what an app would accept.
@Suite("holdfast bundle") struct BundleCommandTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func policy(_ number: UInt8 = 1, more: String = "") throws -> String {
        let pins = [number, number &+ 1].map { #""\#(SPKIDigest(hashing: [$0]))""# }.joined(separator: ", ")
        return try folder.file(
            "policy-\(number).json",
            #"{"holdfast": 1, "name": "shop", "domains": [{"host": "example.com", "pins": [\#(pins)]\#(more)}]}"#)
    }

    private func keygen(_ name: String = "key", _ more: String...) async -> ToolOutcome {
        await run(
            [
                "bundle", "keygen", "--key-id", "2031-a", "--private-key", path(name), "--public-key",
                path(name + ".pub"),
            ]
                + more)
    }

    private func run(_ arguments: [String], input: String = "") async -> ToolOutcome {
        let transcript = Transcript(input: Array(input.utf8))
        let status = await ToolRun(console: transcript.console).run(arguments)
        return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
    }

    private func sign(_ policy: String, version: Int = 4, to name: String = "b.bundle", _ more: [String] = []) async
        -> ToolOutcome
    {
        await run(
            [
                "bundle", "sign", policy, "--key", path("key"), "--key-id", "2031-a", "--application",
                "com.example.shop",
                "--version", "\(version)", "--not-before", "2031-03-01", "--not-after", "2031-04-01T12:00:00Z",
                "--output", path(name),
            ] + more)
    }

    private func sign(_ policy: String, _ more: [String]) async -> ToolOutcome {
        await sign(policy, version: 4, to: "b.bundle", more)
    }

    private func verify(_ name: String = "b.bundle", _ more: [String] = [], at time: String = "2031-03-15") async
        -> ToolOutcome
    {
        await run(
            [
                "bundle", "verify", path(name), "--key", "2031-a=" + path("key.pub"), "--application",
                "com.example.shop", "--at", time,
            ] + more)
    }

    private func object(_ outcome: ToolOutcome) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test(arguments: BundleAlgorithm.allCases)
    func aPolicyIsSignedAndVerified(_ algorithm: BundleAlgorithm) async throws {
        let made = await keygen("key", "--algorithm", algorithm.rawValue)
        #expect(made.status == .success, "\(made.notes)")
        #expect(made.output.contains("algorithm    \(algorithm.rawValue)"))
        let signed = await sign(try policy())
        #expect(signed.status == .success, "\(signed.notes)")
        let verified = await verify("b.bundle", ["--json"])
        #expect(verified.status == .success, "\(verified.notes)")
        let json = try object(verified)
        #expect(json["accepted"] as? Bool == true)
        #expect(json["version"] as? Int == 4)
        #expect(json["keyID"] as? String == "2031-a")
        #expect(json["notAfter"] as? String == "2031-04-01T12:00:00Z")
        #expect(json["policy"] as? String == "shop")
        #expect(json["rules"] as? Int == 1)
    }

    @Test func engineAcceptsSignedBundle() async throws {
        _ = await keygen()
        _ = await sign(try policy())
        let key = try BundleKey(id: "2031-a", publicKey: Array(try Data(contentsOf: URL(filePath: path("key.pub")))))
        var state = BundleState(
            embedded: .disabled(reason: "test"), version: 0, keys: [key], application: "com.example.shop")
        let bytes = Array(try Data(contentsOf: URL(filePath: path("b.bundle"))))
        #expect(try state.offer(bytes, at: CertificateFactory.referenceTime) == .taken)
    }

    @Test func privateKeyIsPrivateAndFilesAreNotOverwritten() async throws {
        #expect(await keygen().status == .success)
        let attributes = try FileManager.default.attributesOfItem(atPath: path("key"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let before = try Data(contentsOf: URL(filePath: path("key")))
        await keygen().expectUnusable("already exists")
        // If the second file exists, the first one is not created either.
        _ = try folder.file("other.pub", "precious")
        await keygen("other").expectUnusable("other.pub")
        #expect(!FileManager.default.fileExists(atPath: path("other")))
        #expect(try String(contentsOfFile: path("other.pub"), encoding: .utf8) == "precious")
        #expect(try Data(contentsOf: URL(filePath: path("key"))) == before)
        _ = await sign(try policy())
        await sign(try policy()).expectUnusable("already exists")
    }

    @Test func nothingPrintsThePrivateKey() async throws {
        let made = await keygen("key", "--json")
        let pem = try String(contentsOfFile: path("key"), encoding: .utf8)
        let body = try #require(pem.split(separator: "\n").dropFirst().first)
        let signed = await sign(try policy())
        for outcome in [made, signed] {
            #expect(!outcome.output.contains(body) && !outcome.notes.contains(body))
        }
        #expect(try object(made)["privateKey"] as? String == path("key"))
        // A public key instead of the private one is reported without its contents.
        let mixed = await run([
            "bundle", "sign", try policy(), "--key", path("key.pub"), "--key-id", "k", "--application", "a",
            "--version", "1", "--not-after", "2031-04-01", "--output", path("c"),
        ])
        mixed.expectUnusable("contains a public key")
    }

    static let refusals: [(arguments: [String], time: String, code: String)] = [
        ([], "2031-02-01", "notYetValid"), ([], "2031-05-01", "expired"),
        (["--embedded-version", "5"], "2031-03-15", "rollback"),
        (["--embedded-version", "4"], "2031-03-15", "versionReused"),
    ]

    @Test(arguments: 0..<refusals.count)
    func reportsWhyAnAppWouldRefuse(_ index: Int) async throws {
        let (arguments, time, code) = Self.refusals[index]
        _ = await keygen()
        _ = await sign(try policy())
        let outcome = await verify("b.bundle", arguments + ["--json"], at: time)
        #expect(outcome.status == .failure)
        let json = try object(outcome)
        #expect(json["accepted"] as? Bool == false)
        #expect(json["code"] as? String == code)
        #expect((json["reason"] as? String)?.isEmpty == false)
        let text = await verify("b.bundle", arguments, at: time)
        #expect(text.status == .failure && text.output.contains("accepted     no"))
    }

    @Test func refusesOtherKeyOtherApplicationAndDamage() async throws {
        _ = await keygen()
        _ = await keygen("thief")
        _ = await sign(try policy())
        func code(_ arguments: [String]) async throws -> String? {
            let outcome = await run(["bundle", "verify", "--at", "2031-03-15", "--json"] + arguments)
            #expect(outcome.status == .failure, "\(outcome.notes)")
            return try object(outcome)["code"] as? String
        }
        let app = ["--application", "com.example.shop"]
        #expect(try await code([path("b.bundle"), "--key", "2031-a=" + path("thief.pub")] + app) == "badSignature")
        #expect(try await code([path("b.bundle"), "--key", "other=" + path("key.pub")] + app) == "unknownKey")
        let key = ["--key", "2031-a=" + path("key.pub")]
        #expect(try await code([path("b.bundle"), "--application", "com.example.bank"] + key) == "wrongApplication")
        let damaged = try folder.file("damaged", "{}")
        #expect(try await code([damaged] + key + app) == "malformed")
    }

    @Test func removingProtectionNeedsPermission() async throws {
        _ = await keygen()
        let embedded = try policy(1)
        _ = await sign(try policy(3, more: #", "enforcement": "reportOnly""#))
        let refused = await verify("b.bundle", ["--embedded", embedded, "--embedded-version", "1", "--json"])
        #expect(refused.status == .failure)
        #expect(try object(refused)["code"] as? String == "weakensPolicy")
        let allowed = await verify(
            "b.bundle", ["--embedded", embedded, "--embedded-version", "1", "--allow", "reportOnly"])
        #expect(allowed.status == .success, "\(allowed.output)")
    }

    @Test func dashReadsStandardInput() async throws {
        _ = await keygen()
        let document = try String(contentsOfFile: policy(), encoding: .utf8)
        let signed = await run(
            [
                "bundle", "sign", "-", "--key", path("key"), "--key-id", "2031-a", "--application", "com.example.shop",
                "--version", "1", "--not-before", "2031-03-01", "--not-after", "2031-04-01", "--output", path("b"),
            ], input: document)
        #expect(signed.status == .success, "\(signed.notes)")
        let bundle = try String(contentsOfFile: path("b"), encoding: .utf8)
        let verified = await run(
            [
                "bundle", "verify", "-", "--key", "2031-a=" + path("key.pub"), "--application", "com.example.shop",
                "--at", "2031-03-15",
            ], input: bundle)
        #expect(verified.status == .success, "\(verified.notes)")
    }

    @Test func refusesUnusableInputs() async throws {
        _ = await keygen()
        let bad = try folder.file(
            "bad.json", #"{"holdfast": 1, "name": "x", "domains": [{"host": "a..b", "pins": []}]}"#)
        await sign(bad).expectUnusable("domains")
        await sign(path("missing")).expectUnusable("missing")
        #expect(!FileManager.default.fileExists(atPath: path("b.bundle")))
        await verify("missing").expectUnusable("missing")
        let garbage = try folder.file("garbage", "garbage")
        _ = await sign(try policy())
        let outcome = await run([
            "bundle", "verify", path("b.bundle"), "--key", "k=" + garbage, "--application", "a",
        ])
        outcome.expectUnusable("garbage")
    }

    @Test("a version may grow by a million over the previous bundle, by more with a flag, but never decrease")
    func versionJumps() async throws {
        _ = await keygen()
        #expect(await sign(try policy(), version: 4, to: "first").status == .success)
        func next(_ version: Int, _ name: String, _ more: String...) async throws -> ToolOutcome {
            await sign(try policy(), version: version, to: name, ["--previous", path("first")] + more)
        }
        #expect(try await next(5, "5").status == .success)
        #expect(try await next(1_000_004, "1000004").status == .success)
        try await next(1_000_005, "1000005").expectUnusable("--allow-version-jump")
        #expect(try await next(1_000_005, "1000005", "--allow-version-jump").status == .success)
        try await next(4, "4").expectUnusable("The next version is 5")
        try await next(3, "3", "--allow-version-jump").expectUnusable("not above version 4")
        for version in ["9007199254740992", "9223372036854775807"] {
            let outcome = await sign(try policy(), version: Int(version) ?? 0, to: version)
            #expect(outcome.status == .usage && outcome.notes.contains("9007199254740991"), "\(outcome.notes)")
        }
        await sign(try policy(), to: "c", ["--previous", try folder.file("no-bundle", "{}")])
            .expectUnusable("--previous")
    }

    @Test("a policy without pins is signed only with a flag")
    func emptyPolicy() async throws {
        _ = await keygen()
        let empty = try folder.file("empty.json", #"{"holdfast": 1}"#)
        await sign(empty).expectUnusable("has no effect")
        #expect(await sign(empty, ["--allow-empty-policy"]).status == .success)
        let embedded = try policy()
        let refused = await verify("b.bundle", ["--embedded", embedded])
        #expect(refused.status == .failure && refused.output.contains("weakensPolicy"), "\(refused.output)")
        #expect(await verify("b.bundle", ["--embedded", embedded, "--allow", "unpin"]).status == .success)
    }

    @Test("a policy in another format is refused with the conversion command")
    func otherFormats() async throws {
        _ = await keygen()
        let trustKit = try folder.file(
            "trustkit.plist",
            #"<?xml version="1.0"?><plist version="1.0"><dict><key>TSKPinnedDomains</key><dict/></dict></plist>"#)
        await sign(trustKit).expectUnusable("holdfast convert \(trustKit) --to holdfast")
        _ = await sign(try policy())
        await verify("b.bundle", ["--embedded", trustKit]).expectUnusable("holdfast convert")
    }

    @Test("a key of the wrong kind is refused with the conversion command")
    func wrongKeyFiles() async throws {
        _ = await keygen()
        _ = await sign(try policy())
        let mixed = await run([
            "bundle", "verify", path("b.bundle"), "--key", "2031-a=" + path("key"), "--application", "com.example.shop",
        ])
        mixed.expectUnusable("openssl pkey -in FILE -pubout")
    }

    @Test("the bundle goes to standard output and its report to standard error")
    func standardOutput() async throws {
        _ = await keygen()
        let outcome = await run([
            "bundle", "sign", try policy(), "--key", path("key"), "--key-id", "2031-a", "--application", "a",
            "--version", "1", "--not-after", "2131-04-01", "--output", "-",
        ])
        #expect(outcome.status == .success, "\(outcome.notes)")
        #expect(try SignedBundle(Array(outcome.output.utf8)).bytes.count == outcome.output.utf8.count)
        #expect(outcome.notes.contains("standard output"))
        #expect(!FileManager.default.fileExists(atPath: "-"))
    }

    @Test(
        "ambiguous key ids are refused",
        arguments: ["a=b c", "a b", "a=b", "\u{430}", "a\u{200B}", String(repeating: "a", count: 129)])
    func keyIDs(_ id: String) async {
        let made = await run([
            "bundle", "keygen", "--key-id", id, "--private-key", path("p"), "--public-key", path("q"),
        ])
        #expect(made.status == .usage && made.notes.contains("key id"), "\(made.notes)")
        #expect(!FileManager.default.fileExists(atPath: path("p")))
    }

    @Test(arguments: [
        ["keygen"], ["keygen", "--key-id", "", "--private-key", "a", "--public-key", "b"],
        ["keygen", "--key-id", "k", "--private-key", "a", "--public-key", "a"],
        ["keygen", "--key-id", "k", "--private-key", "a", "--public-key", "b", "--algorithm", "rsa"],
        [
            "sign", "p", "--key", "k", "--key-id", "k", "--application", "a", "--version", "0", "--not-after",
            "2031-01-01", "--output", "o",
        ],
        [
            "sign", "p", "--key", "k", "--key-id", "k", "--application", "a", "--version", "1", "--not-after", "soon",
            "--output", "o",
        ],
        ["keygen", "--key-id", "k", "--private-key", "-", "--public-key", "b"],
        ["keygen", "--key-id", "k", "--private-key", "a", "--public-key", "-"],
        ["verify", "b", "--application", "a", "--key", "k=one", "--key", "k=two"],
        [
            "sign", "p", "--key", "k", "--key-id", "k", "--application", "a", "--version", "1", "--not-after",
            "2031-01-01", "--output", "-", "--json",
        ],
        ["verify", "b", "--application", "a"], ["verify", "b", "--application", "a", "--key", "nofile"],
        ["verify", "b", "--application", "a", "--key", "k=f", "--allow", "everything"],
    ])
    func refusesInvalidCommandLines(_ arguments: [String]) async {
        let outcome = await run(["bundle"] + arguments)
        #expect(outcome.status == .usage, "\(outcome.notes)")
        #expect(outcome.output.isEmpty)
    }
}
