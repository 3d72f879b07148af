import HTTPTypes
import HoldfastTransport
import Hummingbird
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@testable import ChatDevServer

/// A server in a service group, and its endpoints for supervisors.
@Suite("Service", .timeLimit(.minutes(1)))
struct ServiceTests {
    @Test func gracefulShutdownStopsTheServer() async throws {
        let server = try ChatDevServer()
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
        try await ServerUnderTest.with { subject in
            for path in ["/health/live", "/health/ready"] {
                let response = try await subject.request(.get, path)
                #expect(response.status == 200, "\(path)")
                #expect(String(decoding: response.body, as: UTF8.self) == "{\"status\": \"ok\"}\n")
            }
        }
    }

    @Test func readinessDependsOnDatabaseAndShutdown() async throws {
        let server = try ChatDevServer()
        func status(isDraining: Bool = false) async -> Int {
            await HealthRoutes(driver: server.driver, isDraining: { isDraining }).ready().status.code
        }
        #expect(await status() == 200)
        #expect(await status(isDraining: true) == 503)
        server.driver.store.close()
        #expect(await status() == 503)
    }
}
