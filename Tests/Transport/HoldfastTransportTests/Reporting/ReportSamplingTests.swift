import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

@testable import HoldfastTransport

/// What a collector under overload asks of the reporter.
@Suite("Report sampling", .timeLimit(.minutes(1)))
struct ReportSamplingTests {
    @Test func shareIsReadStrictly() {
        #expect(["0", "0.0", "0.25", "0.5", "0.09", "0.99"].map(ReportSampling.share) == [0, 0, 25, 50, 9, 99])
        for text in ["", "1", "1.0", "0.", ".5", "0.255", "-0.5", "0.5 ", "0,5", "0.x", "25", "٠.٥"] {
            #expect(ReportSampling.share(text) == nil, "\(text)")
        }
    }

    @Test func eachCollectorHasItsOwnShare() {
        let sampling = ReportSampling()
        func reduced(_ url: String) -> Int {
            (UInt64(0)..<100).filter { number in sampling.isReduced(url) { number } }.count
        }
        sampling.answered("https://a.example/", "0.25")
        #expect(reduced("https://a.example/") == 75)
        #expect(reduced("https://b.example/") == 0)
        sampling.answered("https://a.example/", "0")
        #expect(reduced("https://a.example/") == 100)
        // An answer without the field, or with a mistake, ends it.
        sampling.answered("https://a.example/", "nonsense")
        #expect(reduced("https://a.example/") == 0)
        sampling.answered("https://a.example/", "0.25")
        sampling.answered("https://a.example/", nil)
        #expect(reduced("https://a.example/") == 0)
        for number in 0..<100 { sampling.answered("https://h\(number).example/", "0") }
        #expect((0..<100).filter { reduced("https://h\($0).example/") > 0 }.count == 64)
    }

    @Test func withoutARequestNoRandomNumberIsDrawn() {
        let isReduced = ReportSampling().isReduced("https://a.example/") {
            Issue.record("drawn")
            return 0
        }
        #expect(!isReduced)
    }

    /// The first answer asks for the server's certificate only, the second one ends that.
    @Test func reporterFollowsTheCollector() async throws {
        try await ReportWorld.with { world in
            let answers = Mutex(0)
            let collector = try await ScriptedServer.start { _ in
                let isFirst = answers.withLock { count in
                    count += 1
                    return count == 1
                }
                return isFirst
                    ? [.respond(status: "201 Created", fields: ["Holdfast-Report-Sampling: 0"])] : [.respond()]
            }
            let uri = "http://127.0.0.1:\(collector.port)/report"
            let reporter = world.reporter { $0.policyVersion = { 17 } }
            try await world.running(reporter) {
                for number in UInt8(1)...3 {
                    reporter.record(try world.failure(number, to: [uri]))
                    await world.events.until(.sent, Int(number))
                }
            }
            let reports = try collector.requests.map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
            }
            let lengths = reports.map { ($0["validated-certificate-chain"] as? [String])?.count }
            let all = try #require(lengths.first ?? nil)
            #expect(all > 1)
            #expect(lengths == [all, 1, all])
            #expect(reports.map { $0["holdfast-policy-version"] as? Int } == [17, 17, 17])
        }
    }
}
