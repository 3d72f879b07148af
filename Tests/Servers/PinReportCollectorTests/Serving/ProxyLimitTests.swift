import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import PinReportCollector

/// The limits of a proxy, with the lines of the runbook. Behind a proxy, the collector itself has no limit.
@Suite(
    "Limits of HAProxy",
    .enabled(if: PeerProgram.haproxy.isInstalled, "haproxy is not installed: apt-get install haproxy"),
    .timeLimit(.minutes(1)))
struct ProxyLimitTests {
    /// Returns the lines of the frontend in the runbook, from the table on, with another rate.
    private static func documentedLines(rate: Int) throws -> [String] {
        let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../docs/fleet.md")
        let lines = try String(contentsOf: document, encoding: .utf8).split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex { $0.contains("stick-table") })
        let end = try #require(lines[start...].firstIndex { $0.contains("default_backend") })
        return lines[start...end].map { $0.replacing("gt 120 ", with: "gt \(rate) ") }
    }

    @Test func eachAddressHasItsRate() async throws {
        let lines = try Self.documentedLines(rate: 3)
        try #require(lines.contains { $0.contains("gt 3 ") })
        try await CollectorUnderTest.with {
            $0.limits.burst = 0
            $0.token = try ReaderToken("0123456789abcdef")
        } _: { test async throws in
            let directory = try TemporaryDirectory()
            let (proxy, port) = try await PeerPort.start { port in
                let file = try directory.file(
                    "haproxy.cfg",
                    """
                    global
                        maxconn 100
                    defaults
                        mode http
                        timeout connect 5s
                        timeout client 30s
                        timeout server 30s
                    frontend reports
                        bind 127.0.0.1:\(port)
                    \(lines.joined(separator: "\n"))
                    backend collectors
                        server one 127.0.0.1:\(test.address.port)

                    """)
                return try PeerProgram.haproxy.start(["-db", "-f", file])
            }
            defer { proxy.stop() }
            func post(_ number: Int) async throws -> CollectedResponse {
                var request = HTTPRequest(
                    method: .post, scheme: "http", authority: "127.0.0.1:\(port)", path: "/reports")
                request.headerFields[.contentType] = "application/json"
                return try await test.http.collect(
                    request, body: .bytes(try Sample.shared.get().numbered(number)), upTo: 1 << 16)
            }
            for number in 0..<3 { #expect(try await post(number).status == 201) }
            let refused = try await post(3)
            #expect(refused.status == 429)
            #expect(refused.response.headerFields[.retryAfter] == "60")
            // Readers and health checks do not count.
            let health = HTTPRequest(
                method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: "/health/ready")
            #expect(try await test.http.collect(health, upTo: 1 << 16).status == 200)
        }
    }
}
