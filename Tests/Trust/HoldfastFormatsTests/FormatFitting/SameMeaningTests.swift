import HoldfastFormats
import HoldfastTestSupport
import Testing

@testable import HoldfastTrust

/// Generated policies are converted to every format and compared for many hosts. Without a report, the meaning must not
/// change. Without an error, protection must not be lost.
@Suite("Conversions preserve what they do not report") struct SameMeaningTests {
    private static let targets: [PolicyFormat] = [.holdfast, .trustKit, .pinnedDomains, .android, .okHttp, .chromium]
    fileprivate static let hosts = [
        "example", "a.example", "b.a.example", "c.b.a.example", "x.example", "y.x.example", "b.example", "other.test",
    ]
    fileprivate let now = CertificateFactory.referenceTime

    @Test(arguments: targets)
    func unreportedConversionKeepsMeaning(_ target: PolicyFormat) throws {
        var silent = 0
        for seed in UInt64(0)..<200 {
            var generator = AnyPolicyGenerator(seed: seed, now: now)
            let document = generator.document()
            guard let before = try? document.policy() else { continue }
            let result = PolicyFormats.write(document, as: target)
            guard let text = result.text else {
                #expect(result.losesProtection, "seed \(seed)")
                continue
            }
            let read = PolicyFormats.read(Array(text.utf8), as: target)
            guard let after = try? read.policy() else {
                // The formats that require a backup pin or at least one rule report an error.
                #expect(
                    result.report.codes.contains("backup-pin-needed")
                        || result.report.contains { $0.severity == .error }
                        || read.codes(.error) == ["no-pinned-domains"] && before.rules.allSatisfy(\.isExcluded),
                    "seed \(seed): \(read.diagnostics)\n\(document.holdfastJSON)\n\(text)")
                continue
            }
            let worst = result.report.map(\.severity)
            for (name, day) in SameMeaningTests.hosts.flatMap({ name in [0, 2].map { (name, Int64($0)) } }) {
                let host = try CanonicalHost(name)
                let time = now.advanced(bySeconds: day * 86_400 + 1)
                let left = Meaning(before.resolve(host, at: time))
                let right = Meaning(after.resolve(host, at: time))
                func story() -> Comment {
                    "seed \(seed), \(name), day \(day):\n\(document.holdfastJSON)\n\(text)\n\(result.report)"
                }
                if !worst.contains(.error), !worst.contains(.warning) {
                    silent += 1
                    #expect(left == right, story())
                }
                if !worst.contains(.error), left.isPinned {
                    #expect(right.isPinned, story())
                    #expect(!left.isEnforced || right.isEnforced, story())
                    #expect(!left.refusesEverything || right.refusesEverything, story())
                }
            }
        }
        #expect(silent > 15, "the test must include conversions without loss")
    }
}

extension SameMeaningTests {
    /// Checks the formats for a single host, at that host.
    @Test(arguments: [PolicyFormat.hpkp, .curl])
    func singleHostFormatKeepsMeaning(_ target: PolicyFormat) throws {
        var silent = 0
        for seed in UInt64(0)..<160 {
            var generator = AnyPolicyGenerator(seed: seed, now: now)
            let document = generator.document()
            guard let before = try? document.policy() else { continue }
            for name in SameMeaningTests.hosts {
                let result = PolicyFormats.write(
                    document, as: target, options: PolicyWriteOptions(host: name, time: now))
                guard let text = result.text else {
                    #expect(result.losesProtection, "seed \(seed), \(name)")
                    continue
                }
                let read = PolicyFormats.read(
                    Array(text.utf8), as: target, options: PolicyReadOptions(host: name, receivedAt: now))
                guard let after = try? read.policy() else {
                    #expect(result.report.codes.contains("backup-pin-needed"), "seed \(seed), \(name): \(text)")
                    continue
                }
                let host = try CanonicalHost(name)
                let left = Meaning(before.resolve(host, at: now))
                let right = Meaning(after.resolve(host, at: now))
                func story() -> Comment {
                    "seed \(seed), \(name):\n\(document.holdfastJSON)\n\(text)\n\(result.report)"
                }
                // Every such conversion reports that the other hosts are left out.
                let lost = result.report.filter { $0.severity != .note && $0.code != .otherHosts }
                if lost.isEmpty {
                    silent += 1
                    #expect(left == right, story())
                }
                if !result.losesProtection, left.isPinned { #expect(right.isPinned, story()) }
            }
        }
        #expect(silent > 2)
    }
}

/// The requirements of a policy for one host.
private struct Meaning: Equatable {
    var sets: Set<Set<Pin>>?
    var isEnforced = false

    init(_ resolution: PolicyResolution) {
        guard case .pinned(let requirement) = resolution.outcome else { return }
        let all = requirement.sets.map(\.pins)
        sets = all.contains([]) ? [[]] : Set(all)
        isEnforced = requirement.enforcement == .enforce
    }

    var isPinned: Bool { sets != nil }
    var refusesEverything: Bool { sets == [[]] }
}
