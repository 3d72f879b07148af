import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// The stages of a roll-out: what a bundle may contain, and which installations a stage covers.
@Suite("Stages of a roll-out")
struct BundleRolloutTests {
    let world: RolloutWorld

    init() throws {
        world = try RolloutWorld()
    }

    @Test("a bundle has the stages that were signed")
    func roundTrip() throws {
        let first = try #require(AppVersion("2.0"))
        let last = try #require(AppVersion("2.9.1"))
        let stages = [
            BundleRollout.Stage(share: 1, begins: world.now),
            BundleRollout.Stage(
                share: 10_000, begins: world.now.advanced(bySeconds: 9), appVersions: first...last,
                platforms: ["ios", "android"]),
        ]
        let bytes = try world.bundle(4, stages: stages)
        let verified = try SignedBundle(bytes).verify(keys: world.bundles.keys, application: BundleWorld.application)
        #expect(verified.rollout == BundleRollout(stages: stages))
        let plain = try SignedBundle(try world.bundles.bundle(4)).verify(
            keys: world.bundles.keys, application: BundleWorld.application)
        #expect(plain.rollout == nil)
    }

    @Test("the operator cannot sign a roll-out that an app would refuse")
    func refusedStages() throws {
        func code(_ stages: [BundleRollout.Stage]) -> BundleError.Code? {
            RolloutWorld.code { _ = try world.bundle(4, stages: stages) }
        }
        func stage(_ share: Int, after seconds: Int64 = 0, platforms: Set<String> = []) -> BundleRollout.Stage {
            BundleRollout.Stage(share: share, begins: world.now.advanced(bySeconds: seconds), platforms: platforms)
        }
        #expect(code([]) == .emptyCohort)
        #expect(code([stage(0)]) == .emptyCohort)
        #expect(code([stage(10_000), stage(0)]) == .emptyCohort, "each stage is checked")
        #expect(code([stage(1, after: 61 * 86_400)]) == .emptyCohort, "the bundle has expired when the stage begins")
        for share in [-1, 10_001, Int.max, Int.min] { #expect(code([stage(share)]) == .shareOutOfRange) }
        #expect(code(Array(repeating: stage(1), count: 33)) == .tooManyStages)
        #expect(code([stage(1, platforms: ["iOS"])]) == .malformed)
        #expect(code([stage(1, platforms: Set((0..<17).map { "p\($0)" }))]) == .malformed)
        #expect(code(Array(repeating: stage(1), count: 32)) == nil)
    }

    /// The same rules apply in the app, to a payload that another program signed.
    @Test(
        "the app refuses the same roll-outs",
        arguments: [
            (#"{"stages": []}"#, BundleError.Code.emptyCohort),
            (#"{"stages": [{"share": 0, "begins": "T"}]}"#, .emptyCohort),
            (#"{"stages": [{"share": 10001, "begins": "T"}]}"#, .shareOutOfRange),
            (#"{"stages": [{"share": -1, "begins": "T"}]}"#, .shareOutOfRange),
            (#"{"stages": [{"share": 1, "begins": "2131-01-01T00:00:00Z"}]}"#, .emptyCohort),
            (#"{"stages": [{"share": 1, "begins": "T", "platforms": []}]}"#, .emptyCohort),
            (#"{"stages": [{"share": 1, "begins": "T", "appVersions": {"from": "2", "through": "1"}}]}"#, .emptyCohort),
            (#"{"stages": [{"share": 1, "begins": "T", "appVersions": {"from": "2"}}]}"#, .malformed),
            (#"{"stages": [{"share": 1, "begins": "T", "country": "de"}]}"#, .malformed),
            (#"{"stages": [{"share": 1.5, "begins": "T"}]}"#, .malformed),
            (#"{"stages": [{"share": "1", "begins": "T"}]}"#, .malformed),
            (#"{"stages": [{"share": 1}]}"#, .malformed), (#"{"stages": {}}"#, .malformed), ("{}", .malformed),
            ("[]", .malformed), ("null", .malformed),
            (#"{"stages": [{"share": 1, "begins": "T", "platforms": ["ios", "ios"]}]}"#, .malformed),
        ] as [(String, BundleError.Code)])
    func refusedPayloads(_ text: String, _ expected: BundleError.Code) throws {
        let bytes = Array(text.replacing("\"T\"", with: "\"\(world.now)\"").utf8)
        let value = try JSONReader.read(bytes).value
        let end = world.now.advanced(bySeconds: 86_400)
        #expect(RolloutWorld.code { _ = try BundleRollout(value, notAfter: end) } == expected)
    }

    @Test("a stage covers a share, an app version and a platform")
    func cohorts() throws {
        let version = try #require(AppVersion("2.4"))
        let old = try #require(AppVersion("2.3.9"))
        let me = RolloutParticipant(cohort: world.cohort, appVersion: version, platform: "ios")
        func covers(_ stage: BundleRollout.Stage, _ who: RolloutParticipant? = nil, at position: Int = 50) -> Bool {
            stage.covers(who ?? me, position: position)
        }
        #expect(covers(world.stage(share: 51)) && !covers(world.stage(share: 50)))
        var stage = world.stage()
        stage.appVersions = version...version
        stage.platforms = ["ios", "macos"]
        #expect(covers(stage))
        #expect(!covers(stage, RolloutParticipant(cohort: nil, appVersion: old, platform: "ios")))
        #expect(!covers(stage, RolloutParticipant(cohort: nil, appVersion: version, platform: "android")))
        // Unknown facts are not in a restricted cohort.
        #expect(!covers(stage, RolloutParticipant(cohort: nil, appVersion: nil, platform: "ios")))
        #expect(!covers(stage, RolloutParticipant(cohort: nil, appVersion: version, platform: nil)))
        // Without an identity, an installation is the last one.
        let unknown = RolloutParticipant(cohort: nil)
        #expect(unknown.position(for: "a", version: 1) == 9_999)
        #expect(!covers(world.stage(share: 9_999), unknown, at: 9_999) && covers(world.stage(), unknown, at: 9_999))
    }

    /// The positions are stable over releases: this test has fixed values.
    @Test("the position of an installation is even, stable and independent for each version")
    func positions() throws {
        let fixed = try #require(InstallationCohort(Array(0..<16)))
        #expect(fixed.position(for: "a", version: 1) == 9_268)
        #expect(fixed.position(for: "com.example.shop", version: 12) == 6_278)
        #expect(InstallationCohort(Array(0..<15)) == nil && InstallationCohort(Array(0..<17)) == nil)
        var generator = SeededGenerator(seed: 3)
        var (first, both) = (0, 0)
        for _ in 0..<20_000 {
            let cohort = InstallationCohort(using: &generator)
            let position = cohort.position(for: "a", version: 1)
            if !(0..<10_000).contains(position) { Issue.record("\(position)") }
            guard position < 1_000 else { continue }
            first += 1
            if cohort.position(for: "a", version: 2) < 1_000 { both += 1 }
        }
        // Four standard deviations of a share of 10 %.
        #expect((1_830...2_170).contains(first), "\(first)")
        #expect((140...260).contains(both), "\(both)")
        #expect(fixed.position(for: "a", version: 1) != fixed.position(for: "b", version: 1))
    }

    @Test("app versions are compared by number")
    func appVersions() throws {
        let texts = ["0", "1", "1.0.0.1", "1.9", "1.10", "2", "2.0.1", "999999999.1.2.3"]
        let versions = try texts.map { try #require(AppVersion($0)) }
        #expect(versions == versions.sorted() && Set(versions).count == texts.count)
        #expect(AppVersion("1.0.0") == AppVersion("1") && AppVersion("1.0")?.description == "1")
        #expect(AppVersion("0.0")?.description == "0")
        for text in ["", ".", "1.", ".1", "1.2.3.4.5", "1.x", "-1", "1 ", "1234567890", "1.2-beta", "\u{661}"] {
            #expect(AppVersion(text) == nil, "\(text)")
        }
    }

    @Test("the identity of an installation is stored once")
    func storedCohort() throws {
        try TemporaryFolder.use { folder in
            var generator = SeededGenerator(seed: 1)
            let first = try InstallationCohort.stored(in: folder.path("state"), using: &generator)
            #expect(try InstallationCohort.stored(in: folder.path("state"), using: &generator) == first)
            #expect(try InstallationCohort.stored(in: folder.path("other"), using: &generator) != first)
            try folder.write("short", to: "state/installation.cohort")
            let next = try InstallationCohort.stored(in: folder.path("state"), using: &generator)
            #expect(next != first)
            #expect(try InstallationCohort.stored(in: folder.path("state"), using: &generator) == next)
            var failure: BundleError.Code?
            do throws(BundleError) {
                _ = try InstallationCohort.stored(in: folder.path("a/b/c"), using: &generator)
            } catch { failure = error.code }
            #expect(failure == .storage)
        }
    }
}
