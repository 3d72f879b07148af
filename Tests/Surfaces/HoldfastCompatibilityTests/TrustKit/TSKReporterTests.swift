import Foundation
import HoldfastCompatibility
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Reports from TrustKit's configuration to the collector that it names.
@Suite(.timeLimit(.minutes(1))) struct TSKReporterTests {
    private let scene: CompatibilityScene

    init() throws {
        scene = try CompatibilityScene()
    }

    /// Evaluates a server with a different key, and returns the reports that the collector received. The default
    /// address is enabled, as it is in TrustKit without a setting.
    private func reports(_ uris: (ScriptedServer) -> [String], waitFor count: Int) async throws -> [[String: Any]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-tsk-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try await ScriptedServer.start { _ in [.respond()] }
        let told = AsyncStream.makeStream(of: ReportEvent.self)
        var configuration = PinFailureReporter.Configuration(
            folder: folder, identity: ReportIdentity(bundleID: "com.example.shop", version: "4.2"))
        configuration.clock = scene.clock
        configuration.onEvent = { told.continuation.yield($0) }
        let reporter = PinFailureReporter(configuration: configuration)
        let kit = TrustKit(
            configuration: [
                kTSKPinnedDomains: [
                    CompatibilityScene.host: [
                        kTSKPublicKeyHashes: [scene.leaf.spkiDigest.base64, CompatibilityScene.backup],
                        kTSKReportUris: uris(server), kTSKDisableDefaultReportUri: false,
                    ]
                ]
            ], environment: TrustKitEnvironment(anchors: scene.anchors, clock: scene.clock, sink: reporter))
        let verdict = kit.pinningValidator.verdict(
            on: scene.trust(scene.other), forHostname: CompatibilityScene.host, port: 8443)
        #expect(verdict.decision == .block)
        let run = Task { try await reporter.run() }  // reason: cancelled below
        var sent = 0
        if count > 0 {
            for await event in told.stream {
                #expect(event == .kept || event == .sent)
                if event == .sent { sent += 1 }
                if sent == count { break }
            }
        }
        run.cancel()
        try await run.value
        told.continuation.finish()
        for await event in told.stream { Issue.record("\(event)") }
        let requests = server.requests
        try await server.stop()
        return try requests.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
        }
    }

    @Test func theReportURIReceivesReports() async throws {
        let reports = try await reports({ ["http://127.0.0.1:\($0.port)/trustkit/report"] }, waitFor: 1)
        let report = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(report["hostname"] as? String == CompatibilityScene.host && report["port"] as? Int == 8443)
        #expect(report["app-bundle-id"] as? String == "com.example.shop")
        #expect(report["validation-result"] as? Int == 1 && report["enforce-pinning"] as? Bool == true)
        #expect((report["known-pins"] as? [String])?.count == 2)
    }

    private func kit(_ uris: [String], folder: String, sink: (any TrustEventSink)? = nil) -> TrustKit {
        TrustKit(
            configuration: [
                kTSKPinnedDomains: [
                    CompatibilityScene.host: [
                        kTSKPublicKeyHashes: [scene.leaf.spkiDigest.base64, CompatibilityScene.backup],
                        kTSKReportUris: uris,
                    ]
                ]
            ],
            environment: TrustKitEnvironment(
                anchors: scene.anchors, clock: scene.clock, sink: sink, reportFolder: folder,
                logger: RecordingLogHandler().logger()))
    }

    /// As in TrustKit: if an app configures only addresses, reports are sent to them. Two instances share the
    /// reporter.
    @Test func reportsAreSentByDefault() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "holdfast-tsk-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        try await ScriptedServer.with { _ in
            [.respond()]
        } _: { [self] server in
            let uris = ["http://127.0.0.1:\(server.port)/report"]
            let kits = [0, 1].map { _ in kit(uris, folder: root + "/state/app/pin-reports") }
            for (kit, port) in zip(kits, [8443, 9443] as [UInt16]) {
                let verdict = kit.pinningValidator.verdict(
                    on: scene.trust(scene.other), forHostname: CompatibilityScene.host, port: port)
                #expect(verdict.decision == .block)
            }
            await server.waitForRequests(2)
            withExtendedLifetime(kits) {}
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(server.requests[0].body)) as? [String: Any])
            #expect(report["hostname"] as? String == CompatibilityScene.host)
            #expect((report["app-bundle-id"] as? String)?.isEmpty == false)
        }
    }

    /// An app with its own sink and an app without an address: no reporter starts.
    @Test func noReporterStartsWithoutNeed() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "holdfast-tsk-\(UUID())").path
        let sink = RecordingSink()
        for (uris, sink) in [(["https://reports.example.com/"], sink), ([], nil)] as [([String], RecordingSink?)] {
            let kit = kit(uris, folder: root, sink: sink)
            _ = kit.pinningValidator.verdict(on: scene.trust(scene.other), forHostname: CompatibilityScene.host)
        }
        #expect(sink.reports.count == 1)
        #expect(!FileManager.default.fileExists(atPath: root))
    }

    /// Without an address of the app no report is sent, because there is no default address.
    @Test func thereIsNoDefaultURI() async throws {
        #expect(try await reports({ _ in [] }, waitFor: 0).isEmpty)
    }
}
