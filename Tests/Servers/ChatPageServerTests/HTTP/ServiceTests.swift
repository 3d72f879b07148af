import HTTPTypes
import HoldfastTransport
import Hummingbird
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@testable import ChatPageServer

/// A page server in a service group, and its endpoints for supervisors.
@Suite("Service", .timeLimit(.minutes(1)))
struct ServiceTests {
    @Test func gracefulShutdownStopsTheServer() async throws {
        let server = try ChatPageServer { _ in throw CancellationError() }
        let service: any Service = server
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            _ = try await server.started()
            trigger.triggerGracefulShutdown()
            // A server that did not stop would run until the time limit.
            try await run
        }
    }

    @Test func aRunningServerIsLiveAndReady() async throws {
        try await PageUnderTest.with { page async throws in
            for path in ["/health/live", "/health/ready"] {
                #expect(try await page.request(.get, path).status == 200, "\(path)")
                #expect(try await page.request(.get, path, host: "evil.example").status != 200, "\(path)")
            }
        }
    }

    @Test func aDrainingServerIsNotReady() {
        let paths = PagePaths(basePath: "")
        #expect(HealthRoutes(paths: paths, isDraining: { true }).ready().status == .serviceUnavailable)
        #expect(HealthRoutes(paths: paths, isDraining: { false }).ready().status == .ok)
    }
}
