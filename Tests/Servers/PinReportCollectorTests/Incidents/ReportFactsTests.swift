import HoldfastTestSupport
import HoldfastTrust
import PinReports
import Testing

/// What groups reports, and which facts count.
@Suite("Report facts")
struct ReportFactsTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    private func facts(
        _ base: [String: any Sendable], _ change: (inout [String: any Sendable]) -> Void = { _ in }
    ) throws -> ReportFacts {
        var report = base
        change(&report)
        return ReportFacts(try ReportReader.read(Sample.bytes(report), limits: PinReportLimits()))
    }

    @Test func trustKitReportHasAllFacts() throws {
        let facts = try facts(sample.trustKit) { $0["holdfast-policy-version"] = 12 }
        #expect(facts.key.app == "com.example.shop")
        #expect(facts.key.host == "www.chat.example.com")
        #expect(facts.key.result == 1)
        #expect(facts.key.seenPin == "sha256/" + sample.leaf.spkiDigest.base64)
        #expect(facts.client?.count == 16)
        #expect(facts.appVersion == "2.1")
        #expect(facts.platformText == "IOS 18.0.1")
        #expect(facts.policyVersion == 12)
        #expect(facts.expectedPins.allSatisfy { SPKIDigest(base64: $0) != nil && $0.hasPrefix("sha256/") })
        #expect(facts.time == facts.reportedAt)
    }

    @Test func hpkpReportHasNoApp() throws {
        let facts = try facts(sample.hpkp)
        #expect(facts.key.app.isEmpty)
        #expect(facts.key.result == nil)
        #expect(facts.client == nil)
        #expect(facts.appVersion == nil && facts.platformText == nil && facts.policyVersion == nil)
    }

    @Test func clientsAreSeparatedByAppAndInstallation() throws {
        let first = try facts(sample.trustKit).client
        #expect(try facts(sample.trustKit) { $0["app-version"] = "3" }.client == first)
        #expect(try facts(sample.trustKit) { $0["app-vendor-id"] = "other" }.client != first)
        #expect(try facts(sample.trustKit) { $0["app-bundle-id"] = "com.example.other" }.client != first)
        // Reports without an installation would all be one.
        #expect(try facts(sample.trustKit) { $0["app-vendor-id"] = "" }.client == nil)
    }

    @Test func policyVersionIsAKnownMember() throws {
        var report = sample.trustKit
        report["holdfast-policy-version"] = 3
        let read = try ReportReader.read(Sample.bytes(report), limits: PinReportLimits())
        #expect(read.policyVersion == 3)
        #expect(read.unknownMembers.isEmpty)
        for invalid: any Sendable in [-1, 1.5, "3", true] {
            report["holdfast-policy-version"] = invalid
            #expect(throws: ReportFault.self) {
                try ReportReader.read(Sample.bytes(report), limits: PinReportLimits())
            }
        }
    }

    @Test func differentKeysHaveDifferentDigests() {
        let keys = [
            IncidentKey(app: "ab", host: "c"), IncidentKey(app: "a", host: "bc"), IncidentKey(app: "", host: "abc"),
            IncidentKey(app: "a", host: "b", result: 1), IncidentKey(app: "a", host: "b", seenPin: "1"),
            IncidentKey(app: "a", host: "b", result: 0), IncidentKey(app: "a", host: "b", seenPin: ""),
            IncidentKey(app: "a", host: "b"),
        ]
        #expect(Set(keys.map(\.digest)).count == keys.count)
        #expect(keys.allSatisfy { $0.digest.count == 32 })
    }

    @Test func onlyReportsSetNewAndCameBack() {
        for state in IncidentState.allCases {
            #expect(!state.allows(.new) && !state.allows(.cameBack) && !state.allows(state))
            let time = Timestamp(secondsSince1970: 100)
            let after = state.afterReport(failedAt: time, changedAt: time)
            #expect(after == (state == .resolved ? .cameBack : state))
            #expect(state.afterReport(failedAt: time.advanced(bySeconds: -1), changedAt: time) == state)
        }
        #expect(IncidentState.resolved.allows(.acknowledged))
        #expect(IncidentState.cameBack.allows(.resolved))
    }
}
