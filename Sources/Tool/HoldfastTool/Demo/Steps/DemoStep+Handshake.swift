import ChatDevServer
import HoldfastTransport
import HoldfastTrust

extension DemoStep {
    /// The genuine server is accepted, and what it showed is printed with the commands that print the same.
    static let handshake = DemoStep(.chat, "the pinned handshake", .systemAndPins, .accepted(.pinMatched)) { stage in
        let visit = DemoVisit(
            trust: try DemoTrust(authority: stage.authority).systemAndPins(), clock: stage.clock,
            host: stage.authority.host, port: stage.address.port)
        var (observation, facts) = try await visit.overHTTPS()
        guard let facts else { return observation }
        let command = OpenSSLCommand(
            origin: .server("127.0.0.1:\(stage.address.port)", serverName: stage.authority.host))
        let versions = [facts.tlsVersion, facts.cipherSuite].compactMap { $0 }.joined(separator: ", ")
        observation.lines.append("TLS: \(versions)")
        for (index, certificate) in (facts.presented?.certificates ?? []).enumerated() {
            observation.lines.append("\(certificate.subject): \(certificate.spkiDigest)")
            observation.lines.append("  the same by: " + command.text(for: .certificate, position: index + 1))
        }
        return observation
    }
}
