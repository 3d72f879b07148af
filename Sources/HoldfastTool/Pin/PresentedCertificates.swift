import HoldfastTransport
import HoldfastTrust
import NIOCore

/// Asks a server for its certificates. Nothing but the TLS handshake is exchanged with it.
struct PresentedCertificates {
    /// The server's name.
    var host: CanonicalHost
    /// Its TCP port.
    var port: UInt16
    /// How long connecting may take, and then the handshake.
    var timeout: Duration = .seconds(10)

    /// Connects, and describes what the server presents. Throws one sentence.
    func report() async throws(ToolError) -> PinReport {
        let facts = try await connect()
        guard let chain = facts.presented else { throw ToolError("\(host):\(port) presented no certificate") }
        let subject = TrustSubject(host: host, port: port)
        var system: TrustFinding?
        if case .now(let verdict) = TrustContext.system().judge(chain, for: subject, at: TrustClock.system.now()) {
            system = verdict.finding
        }
        return PinReport(of: chain, from: host, port: port, system: system)
    }

    private func connect() async throws(ToolError) -> ConnectionFacts {
        // The chain is what is asked for, a bad one most of all, and no byte of an application is sent.
        let configuration = TransportConfiguration(
            trust: .dangerouslyAcceptAnyCertificate(), connectTimeout: timeout, tlsTimeout: timeout)
        let dialler = NetworkDialler(configuration: configuration)
        let target = DialTarget(host: host, port: port, security: .tls(alpn: []))
        do {
            let dialled = try await dialler.dial(
                target, deadlines: DialDeadlines(connect: timeout, tls: timeout),
                on: NetworkDialler.eventLoops.next()
            ).get()
            dialled.cut()
            return dialled.facts
        } catch let error as TransportError {
            throw ToolError("\(host):\(port): \(error.reason)")
        } catch {
            throw ToolError(describing: error)
        }
    }
}
