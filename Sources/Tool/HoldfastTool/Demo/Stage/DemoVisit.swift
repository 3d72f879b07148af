import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

/// Visits a server on the loopback under a trust context, over HTTPS and over a secure WebSocket.
struct DemoVisit: Sendable {
    /// What judges the server.
    let trust: TrustContext
    /// When it is judged.
    let clock: TrustClock
    /// The name that the server claims. The socket goes to 127.0.0.1 whatever it is.
    let host: String
    /// The server's port.
    let port: Int

    private var configuration: TransportConfiguration {
        TransportConfiguration(
            trust: trust, clock: clock, connectTimeout: .seconds(10), tlsTimeout: .seconds(10),
            hostOverrides: [host: "127.0.0.1"])
    }

    /// Makes a request and says what became of it. Throws where something else than trust is in the way.
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

    /// Opens a WebSocket and answers with the verdict that it was refused with; `nil` if it was not refused.
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
            // The server was accepted; that it speaks no WebSocket is another matter.
            return nil
        }
    }

    /// Tries both, and expects both to come to the same refusal.
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
    /// What a verdict says.
    fileprivate init(_ verdict: TrustVerdict, _ outcome: Outcome) {
        self.init(outcome: outcome, detail: verdict.finding.reason)
    }
}
