import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import PinReportCollector
import Testing

/// Holdfast's own reporter with this collector.
@Suite("Collector: Holdfast's reporter") struct ReporterTests {
    let sample: Sample

    private struct Unexpected: Error {}

    init() throws { sample = try Sample.shared.get() }

    /// Returns the verdict on a server with an unpinned key, to be reported to a URI.
    private func failure(to uri: String) throws -> TrustVerdict {
        var rule = try PinningRule(HostPattern(Sample.host), pins: PinSet([Pin(SPKIDigest(hashing: [1]))]))
        rule.reportURIs = [uri]
        let context = TrustContext.policy(
            try PinningPolicy(name: "shop", rules: [rule], backupPins: .off), anchors: .only([sample.root.view]))
        let judgement = context.judge(
            PresentedChain(der: sample.leaf.chain),
            for: TrustSubject(host: try CanonicalHost(Sample.host), port: 443), at: Sample.time)
        guard case .now(let verdict) = judgement else { throw Unexpected() }
        return verdict
    }

    /// The collector stores the report, but the reporter does not get the answer and sends it again: one report.
    @Test(.timeLimit(.minutes(1))) func reportWithLostAnswerIsStoredOnce() async throws {
        let directory = try TemporaryDirectory()
        try await CollectorUnderTest.with { test async throws in
            try await FaultProxy.with(to: UInt16(test.address.port)) { number in
                number == 0 ? FaultPlan(toClient: [InjectedFault(.close, after: 5)]) : .none
            } _: { proxy async throws in
                let told = AsyncStream.makeStream(of: ReportEvent.self)
                let clock = ManualTrustClock(Sample.time)
                var configuration = PinFailureReporter.Configuration(
                    folder: directory.path + "/reports",
                    identity: ReportIdentity(
                        bundleID: "com.example.shop", version: "4.2", vendorID: "", platform: "LINUX",
                        platformVersion: "6.1.0"))
                configuration.clock = clock.clock
                configuration.onEvent = { told.continuation.yield($0) }
                let transport = PinFailureReporter.transport(configuration)
                // Waiting advances the clock by the waited time.
                let reporter = PinFailureReporter(
                    configuration: configuration, client: { HTTPClient(configuration: transport) }, entropy: { .max },
                    pause: { clock.advance(bySeconds: $0.components.seconds) })
                reporter.record(try failure(to: "http://127.0.0.1:\(proxy.port)/reports"))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await reporter.run() }
                    var events: [ReportEvent] = []
                    for await event in told.stream {
                        events.append(event)
                        if event == .sent { break }
                    }
                    #expect(events == [.kept, .postponed, .sent])
                    group.cancelAll()
                    try await group.waitForAll()
                }
                #expect(proxy.connectionCount == 2)
            }
            let events = await test.events.events(2)
            #expect(events.count == 2 && events.last == .repeated(1))
            let reports = try await test.object("/reports").list("reports")
            #expect(reports.map { $0["host"]?.text } == [Sample.host])
        }
    }
}
