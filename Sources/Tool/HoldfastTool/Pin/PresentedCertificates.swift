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
        // The chain is what is asked for, a bad one most of all, and no byte of an application is sent.
        let survey = await DialSurvey.of(
            DialTarget(host: host, port: port, security: .tls(alpn: [])), judges: [.system()],
            configuration: TransportConfiguration(trust: .system(), connectTimeout: timeout, tlsTimeout: timeout),
            deadlines: DialDeadlines(connect: timeout, tls: timeout), on: NetworkDialler.eventLoops.next())
        if case .failure(let error) = survey.connection { throw ToolError("\(host):\(port): \(error.reason)") }
        guard let chain = survey.presented else { throw ToolError("\(host):\(port) presented no certificate") }
        return PinReport(of: chain, from: host, port: port, system: survey.verdicts.first?.finding)
    }
}
