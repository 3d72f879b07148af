import Foundation
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import PinReportCollector

/// A running collector and a client for it.
struct CollectorUnderTest: Sendable {
    let collector: ReportCollector
    let address: ReportCollectorAddress
    let http: HTTPClient
    let events: EventLog
    let clock: ManualTrustClock

    /// Runs a collector without TLS on loopback, unless `configure` changes that. Its clock stands still.
    static func with<R: Sendable>(
        trust: TrustContext = .system(), _ configure: (inout ReportCollectorConfiguration) throws -> Void = { _ in },
        _ body: @escaping @Sendable (CollectorUnderTest) async throws -> R
    ) async throws -> R {
        var configuration = ReportCollectorConfiguration()
        let events = EventLog()
        let clock = ManualTrustClock(Sample.time)
        configuration.clock = clock.clock
        configuration.onEvent = { events.add($0) }
        configuration.uptime = { 0 }
        try configure(&configuration)
        let transport = TransportConfiguration(
            trust: trust, clock: .fixed(Sample.time), connectTimeout: .seconds(10), tlsTimeout: .seconds(10),
            hostOverrides: ["localhost": "127.0.0.1"])
        return try await ReportCollector.with(configuration) { collector, address in
            try await body(
                CollectorUnderTest(
                    collector: collector, address: address, http: HTTPClient(configuration: transport),
                    events: events, clock: clock))
        }
    }

    func request(
        _ method: HTTPRequest.Method = .get, _ path: String, host: String? = nil, headers: HTTPFields = [:],
        body: HTTPBody? = nil
    ) async throws -> CollectedResponse {
        let request = HTTPRequest(
            method: method, scheme: address.isSecure ? "https" : "http",
            authority: "\(host ?? address.host):\(address.port)", path: path, headerFields: headers)
        return try await http.collect(request, body: body, upTo: 16 << 20)
    }

    func post(
        _ body: [UInt8], to path: String = "/reports", id: String? = nil, headers: HTTPFields = [:]
    ) async throws -> CollectedResponse {
        var headers = headers
        if !headers.contains(.contentType) { headers[.contentType] = "application/json" }
        if let id, let name = HTTPField.Name("Holdfast-Report-ID") { headers[name] = id }
        return try await request(.post, path, headers: headers, body: .bytes(body))
    }

    /// Returns the text at a path.
    func text(_ path: String) async throws -> String {
        String(decoding: try await request(.get, path).body, as: UTF8.self)
    }

    /// Returns the JSON object at a path.
    func object(_ path: String) async throws -> JSONObject {
        try JSONObject(try await request(.get, path).body)
    }
}

extension CollectedResponse {
    var status: Int { response.status.code }
    /// The code of a refusal.
    var error: String? { (try? JSONObject(body))?["error"]?.text }
    var object: JSONObject { get throws { try JSONObject(body) } }
}
