import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// The work of an operator on a roll-out: stages, halts and timestamps, and what an installation would do.
@Suite("holdfast bundle: roll-outs") struct RolloutCommandTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let application = "com.example.shop"

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func policy(_ number: UInt8 = 1, more: String = "") throws -> String {
        let pins = [number, number &+ 1].map { #""\#(SPKIDigest(hashing: [$0]))""# }.joined(separator: ", ")
        return try folder.file(
            "policy-\(number).json",
            #"{"holdfast": 1, "name": "shop", "domains": [{"host": "example.com", "pins": [\#(pins)]\#(more)}]}"#)
    }

    private func run(_ arguments: [String]) async -> ToolOutcome {
        let transcript = Transcript(input: [])
        let status = await ToolRun(console: transcript.console).run(["bundle"] + arguments)
        return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
    }

    /// Creates one key for each role.
    private func keygen() async {
        for role in BundleKeyRole.allCases {
            let name = role.rawValue
            let made = await run([
                "keygen", "--role", name, "--key-id", name, "--private-key", path(name), "--public-key",
                path(name + ".pub"),
            ])
            #expect(made.status == .success, "\(made.notes)")
        }
    }

    private func sign(_ policy: String, _ more: [String], to name: String = "b.bundle") async -> ToolOutcome {
        await run(
            [
                "sign", policy, "--key", path("bundle"), "--key-id", "bundle", "--application", Self.application,
                "--version", "4", "--not-before", "2031-03-01", "--not-after", "2031-04-01", "--output", path(name),
            ] + more)
    }

    private func halt(_ more: [String] = [], to name: String = "b.bundle.halt") async -> ToolOutcome {
        await run(
            [
                "halt", "--key", path("halt"), "--key-id", "halt", "--application", Self.application, "--at",
                "2031-03-14", "--not-after", "2031-03-20", "--output", path(name),
            ] + more)
    }

    private func timestamp(_ more: [String] = [], to name: String = "b.bundle.timestamp") async -> ToolOutcome {
        await run(
            [
                "timestamp", path("b.bundle"), "--bundle-key", "bundle=" + path("bundle.pub"), "--application",
                Self.application, "--key", path("timestamp"), "--key-id", "timestamp", "--at", "2031-03-14",
                "--not-after", "2031-03-16", "--output", path(name),
            ] + more)
    }

    private func verify(_ more: [String] = [], at time: String = "2031-03-15") async -> ToolOutcome {
        await run(
            [
                "verify", path("b.bundle"), "--key", "bundle=" + path("bundle.pub"), "--application", Self.application,
                "--at", time,
            ] + more)
    }

    private var haltOptions: [String] { ["--halt", path("b.bundle.halt"), "--halt-key", "halt=" + path("halt.pub")] }

    private func object(_ outcome: ToolOutcome) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    /// Returns `rollout` and `until` of a report.
    private func rollout(_ more: [String], at time: String = "2031-03-15") async throws -> [String?] {
        let outcome = await verify(more + ["--json"], at: time)
        #expect(outcome.status == .success, "\(outcome.notes)\(outcome.output)")
        let json = try object(outcome)
        return [json["rollout"] as? String, json["until"] as? String]
    }

    @Test("a bundle with stages is signed, and verify shows when an installation would put it in force")
    func stages() async throws {
        await keygen()
        let signed = await sign(
            try policy(),
            [
                "--embedded", try policy(2), "--stage", "1%@2031-03-10", "--stage",
                "100%@2031-03-20T12:00:00Z,versions=2.1-2.9,platforms=ios+android", "--json",
            ])
        #expect(signed.status == .success, "\(signed.notes)")
        #expect(try object(signed)["stages"] as? Int == 2)

        var generator = SeededGenerator(seed: 2)
        var texts: (first: String?, later: String?) = (nil, nil)
        while texts.first == nil || texts.later == nil {
            let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let cohort = try #require(InstallationCohort(bytes))
            let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            if cohort.position(for: Self.application, version: 4) < 100 {
                texts.first = text
            } else {
                texts.later = text
            }
        }
        let (first, later) = (try #require(texts.first), try #require(texts.later))
        #expect(try await rollout(["--installation", first]) == ["due", nil])
        #expect(try await rollout(["--installation", first], at: "2031-03-09") == ["waiting", "2031-03-10T00:00:00Z"])
        #expect(try await rollout(["--installation", later]) == ["not covered", nil])
        let phone = ["--installation", later, "--app-version", "2.4", "--platform", "ios"]
        #expect(try await rollout(phone) == ["waiting", "2031-03-20T12:00:00Z"])
        #expect(try await rollout(phone, at: "2031-03-21") == ["due", nil])
        #expect(
            try await rollout(["--installation", later, "--app-version", "3.0", "--platform", "ios"]) == [
                "not covered", nil,
            ])
        let text = await verify(["--installation", first])
        #expect(text.output.contains("rollout      due") && text.output.contains("position     "), "\(text.output)")
    }

    @Test("a bundle without stages has no state of a roll-out")
    func plainBundle() async throws {
        await keygen()
        #expect(await sign(try policy(), []).status == .success)
        let outcome = await verify(["--json"])
        #expect(try object(outcome)["rollout"] == nil)
    }

    static let refusedStages: [([String], String)] = [
        (["--stage", "0%@2031-03-10"], "covers no installation"),
        (["--stage", "101%@2031-03-10"], "in parts of 10,000"),
        (["--stage", "1%@2031-05-10"], "only accepted until"),
        (["--stage", "1%@2031-03-10,platforms=iOS"], "platform"),
        (["--stage", "1%@2031-03-10,platforms="], "platform"),
    ]

    @Test("stages that no installation could use are refused", arguments: 0..<refusedStages.count)
    func unusableStages(_ index: Int) async throws {
        await keygen()
        let (arguments, words) = Self.refusedStages[index]
        await sign(try policy(), arguments + ["--embedded", try policy(2)]).expectUnusable(words)
        #expect(!FileManager.default.fileExists(atPath: path("b.bundle")))
    }

    @Test("a roll-out that removes protection is not signed")
    func cohortThatOpensAHost() async throws {
        await keygen()
        let stage = ["--stage", "1%@2031-03-10"]
        let weaker = try policy(3, more: #", "enforcement": "reportOnly""#)
        await sign(weaker, stage + ["--embedded", try policy()]).expectUnusable("removes protection")
        #expect(await sign(try policy(), [], to: "old").status == .success)
        let next = await run([
            "sign", weaker, "--key", path("bundle"), "--key-id", "bundle", "--application", Self.application,
            "--version", "5", "--not-after", "2131-04-01", "--output", path("new"), "--previous", path("old"),
            "--stage", "1%@2031-03-10",
        ])
        next.expectUnusable("removes protection")
        // An app refuses such a bundle of another program, whatever it permits.
        let alone = await sign(try policy(), stage)
        #expect(alone.status == .usage && alone.notes.contains("--previous or --embedded"))
        #expect(await sign(weaker, stage + ["--embedded", weaker]).status == .success)
        let refused = await verify([
            "--embedded", try policy(), "--embedded-version", "1", "--allow", "reportOnly", "--json",
        ])
        #expect(refused.status == .failure)
        #expect(try object(refused)["code"] as? String == "cohortWeakensPolicy")
    }

    @Test("a halt stops the roll-out until it ends, and serial numbers only increase")
    func halts() async throws {
        await keygen()
        _ = await sign(try policy(), ["--embedded", try policy(2), "--stage", "100%@2031-03-10"])
        let made = await halt(["--version", "4", "--json"])
        #expect(made.status == .success, "\(made.notes)")
        let serial = try #require(Timestamp(iso8601: "2031-03-14")?.secondsSince1970)
        #expect(try object(made)["serial"] as? Int == Int(serial))
        #expect(try await rollout(haltOptions) == ["halted", "2031-03-20T00:00:00Z"])
        #expect(try await rollout([]) == ["due", nil])
        let expired = await verify(haltOptions + ["--json"], at: "2031-03-21")
        #expect(expired.status == .failure)
        #expect(try object(expired)["code"] as? String == "haltExpired")

        await halt(["--version", "4", "--previous", path("b.bundle.halt")], to: "again").expectUnusable("is not above")
        let next = await halt(
            ["--version", "0", "--previous", path("b.bundle.halt"), "--issued", "2031-03-15"], to: "next")
        #expect(next.status == .success, "\(next.notes)")
        #expect(try await rollout(["--halt", path("next"), "--halt-key", "halt=" + path("halt.pub")]) == ["due", nil])
        await halt(["--version", "4", "--not-after", "2031-04-20"], to: "long").expectUnusable("14 days")
        await halt(["--version", "4", "--serial", "99999999999"], to: "far").expectUnusable("serial number")
    }

    @Test("a timestamp confirms the newest bundle, and shows a halt that is held back")
    func timestamps() async throws {
        await keygen()
        _ = await sign(try policy(), ["--embedded", try policy(2), "--stage", "100%@2031-03-10"])
        _ = await halt(["--version", "4"])
        #expect(await timestamp(["--halt", path("b.bundle.halt")]).status == .success)
        let options = [
            "--timestamp", path("b.bundle.timestamp"), "--timestamp-key", "timestamp=" + path("timestamp.pub"),
        ]
        let key = ["--halt-key", "halt=" + path("halt.pub")]
        #expect(try await rollout(options + key) == ["halt missing", "2031-03-16T00:00:00Z"])
        #expect(try await rollout(options + haltOptions) == ["halted", "2031-03-20T00:00:00Z"])
        for (time, code) in [("2031-03-12", "timestampFromFuture"), ("2031-03-17", "timestampTooOld")] {
            let outcome = await verify(options + ["--json"], at: time)
            #expect(outcome.status == .failure)
            #expect(try object(outcome)["code"] as? String == code)
        }
        await timestamp(["--not-after", "2031-03-22"], to: "long").expectUnusable("7 days")
    }

    @Test("a halt or a timestamp that apps would refuse is not signed")
    func refusedStatements() async throws {
        await keygen()
        #expect(await sign(try policy(), []).status == .success)
        let times: [(issued: String, notAfter: String, halt: String, timestamp: String)] = [
            ("2031-03-11", "2031-03-13", "ended at", "was valid until"),
            ("2031-03-16", "2031-03-18", "time of this device", "time of this device"),
        ]
        for time in times {
            let options = ["--issued", time.issued, "--not-after", time.notAfter]
            await halt(["--version", "4"] + options).expectUnusable(time.halt)
            await timestamp(options).expectUnusable(time.timestamp)
        }
        for name in ["b.bundle.halt", "b.bundle.timestamp"] {
            #expect(!FileManager.default.fileExists(atPath: path(name)))
        }
    }

    @Test("each role needs its own key")
    func roles() async throws {
        await keygen()
        let other = ["--stage", "1%@2031-03-10", "--embedded", try policy(2)]
        await sign(try policy(), other + ["--key", path("halt")]).expectUnusable("keygen --role bundle")
        await halt(["--version", "4", "--key", path("bundle")]).expectUnusable("keygen --role halt")
        await halt(["--version", "4", "--key", path("timestamp")]).expectUnusable("keygen --role halt")
        #expect(await sign(try policy(), other).status == .success)
        await timestamp(["--key", path("halt")]).expectUnusable("keygen --role timestamp")
        await verify(["--key", "x=" + path("halt.pub")]).expectUnusable("keygen --role bundle")
        _ = await halt(["--version", "4"])
        await verify(["--halt", path("b.bundle.halt"), "--halt-key", "halt=" + path("bundle.pub")])
            .expectFailureOrUnusable()
        // Apps read the public key with the line that names its role.
        let bytes = Array(try Data(contentsOf: URL(filePath: path("halt.pub"))))
        let halt = Array(try Data(contentsOf: URL(filePath: path("b.bundle.halt"))))
        let known = try BundleHalt(
            halt, keys: [try BundleHaltKey(id: "halt", publicKey: bytes)], application: Self.application)
        #expect(known.version == 4)
    }

    @Test("a key for halts with P-256 can be used")
    func es256() async throws {
        let made = await run([
            "keygen", "--role", "halt", "--algorithm", "es256", "--key-id", "halt", "--private-key", path("halt"),
            "--public-key", path("halt.pub"),
        ])
        #expect(made.status == .success && made.output.contains("role         halt"), "\(made.output)")
        #expect(await halt(["--version", "4"]).status == .success)
    }

    @Test(arguments: [
        ["--stage", "1@2031-03-10"], ["--stage", "1%"], ["--stage", "1.234%@2031-03-10"], ["--stage", "%@2031-03-10"],
        ["--stage", "1%@soon"], ["--stage", "1%@2031-03-10,country=de"], ["--stage", "1%@2031-03-10,versions=2"],
        ["--stage", "1%@2031-03-10,versions=3-2"], ["--stage", "1%@2031-03-10,versions=a-b"],
        ["--stage", "1%@2031-03-10,"], ["--stage", "\u{661}%@2031-03-10"],
    ])
    func invalidStages(_ arguments: [String]) async throws {
        let outcome = await sign("policy.json", arguments + ["--embedded", "policy.json"])
        #expect(outcome.status == .usage && outcome.output.isEmpty, "\(outcome.notes)")
    }

    @Test(arguments: [
        ["--installation", "00"], ["--installation", String(repeating: "g", count: 32)],
        ["--installation", String(repeating: "+1", count: 16)], ["--app-version", "1.x"], ["--halt", "x"],
        ["--timestamp", "x"], ["--halt-key", "x"],
    ])
    func invalidInstallations(_ arguments: [String]) async throws {
        let outcome = await verify(arguments)
        #expect(outcome.status == .usage && outcome.output.isEmpty, "\(outcome.notes)")
    }
}

extension ToolOutcome {
    fileprivate func expectFailureOrUnusable(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(status == .failure || status == .unusableInput, sourceLocation: sourceLocation)
    }
}
