import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

/// Connects to a server on the loopback under a trust context, over HTTPS and over a secure WebSocket.
struct DemoVisit: Sendable {
    /// The trust decision for the server.
    let trust: TrustContext
    /// The clock for the trust decision.
    let clock: TrustClock
    /// The name that the server claims. The connection goes to 127.0.0.1 in any case.
    let host: String
    /// The server's port.
    let port: Int

    private var configuration: TransportConfiguration {
        TransportConfiguration(
            trust: trust, clock: clock, connectTimeout: .seconds(10), tlsTimeout: .seconds(10),
            hostOverrides: [host: "127.0.0.1"])
    }

    /// Makes a request and describes the result. Throws if something other than trust fails.
    func overHTTPS() async throws -> (observation: DemoObservation, facts: ConnectionFacts?) {
        let client = HTTPClient(configuration: configuration)
        let request = HTTPRequest(method: .get, scheme: "https", authority: "\(host):\(port)", path: "/")
        do {
            let answer = try await client.collect(request, upTo: 1 << 20)
            await client.shutdown()
            guard let verdict = answer.facts.verdict else { return (.failed("The connection has no verdict."), nil) }
            return (DemoObservation(verdict, .accepted(verdict.finding.code)), answer.facts)
        } catch let error as TransportError {
            await client.shutdown()
            guard let verdict = error.verdict else { throw error }
            return (DemoObservation(verdict, .refused(verdict.finding.code)), nil)
        }
    }

    /// Opens a WebSocket. Returns the verdict that refused the server, or `nil` if it was not refused.
    func refusalOverWebSocket() async throws -> TrustVerdict? {
        do {
            let connection = try await WebSocketClient(configuration: configuration).connect(
                "wss://\(host):\(port)/socket")
            await connection.close()
            return nil
        } catch let error as TransportError {
            guard let verdict = error.verdict else { throw error }
            return verdict
        } catch is WebSocketError {
            // The server was accepted. It need not support WebSocket.
            return nil
        }
    }

    /// Tries HTTPS and WebSocket, and expects the same refusal from both.
    func refusedBothWays() async throws -> DemoObservation {
        let (observation, _) = try await overHTTPS()
        guard case .refused(let code) = observation.outcome else { return observation }
        guard let other = try await refusalOverWebSocket() else {
            return .failed("HTTPS was refused (\(code)), and the WebSocket was not.")
        }
        guard other.finding.code == code else {
            return .failed("HTTPS was refused as \(code), the WebSocket as \(other.finding.code).")
        }
        return observation
    }
}

extension DemoObservation {
    /// Describes a verdict.
    fileprivate init(_ verdict: TrustVerdict, _ outcome: Outcome) {
        self.init(outcome: outcome, detail: verdict.finding.reason)
    }
}
