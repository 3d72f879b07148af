import HoldfastBase
import ChatDevServer
import HoldfastTrust

/// Prints where `holdfast serve chat` listens, how to trust it, and its settings.
struct ChatServerLines: Sendable {
    let console: Console
    let log: ServerLog
    /// Whether the addresses are printed to standard output, for another program.
    let asJSON: Bool
    /// The path of the root certificate, if it was written.
    let rootPath: String?
    /// The text of the operators' token, if it was created for this run.
    let createdToken: String?

    /// Prints that the server accepts connections.
    func listening(_ address: ChatDevServerAddress, _ configuration: ChatDevServerConfiguration) {
        let pins = configuration.authority.map { $0.pins.map { "\($0)" } } ?? []
        let facts = facts(address, configuration, pins)
        if asJSON { writeJSON(facts) }
        log.write(.listening, facts)
        if log.format == .json, !asJSON, createdToken != nil {
            console.note("WARNING: the operators' token of this run is not logged: give --operator-token-file")
        }
        if !asJSON, log.format == .text { sayListening(address, configuration, pins) }
        if !asJSON || log.format == .json { warn(configuration) }
    }

    private func sayListening(
        _ address: ChatDevServerAddress, _ configuration: ChatDevServerConfiguration, _ pins: [String]
    ) {
        console.note("REST \(address.rest), socket \(address.webSocket), files \(address.dataStore)")
        if let database = configuration.databasePath {
            console.note("conversations are stored in \(Printable.text(database))")
        } else {
            console.note("nothing is stored: conversations end with the server")
        }
        if let authority = configuration.authority {
            console.note("TLS for \(authority.host) and \(authority.ipAddress), issued by a temporary authority")
            for (pin, name) in zip(pins, ["the key in use", "the backup key"]) { console.note("  pin \(pin)  \(name)") }
            if let rootPath {
                console.note("  clients must trust \(Printable.text(rootPath)); holdfast: --trust-anchors")
            } else {
                console.note("  write the certificate that clients must trust with --root FILE")
            }
        } else if let identity = configuration.tls {
            let count = identity.chain.count
            console.note("TLS with the given chain of \(count) certificate\(count == 1 ? "" : "s")")
        } else {
            console.note("without TLS: anyone on the network path can read and change all data")
        }
        if configuration.operatorToken != nil {
            let places = configuration.dangerouslyAllowsRemoteOperators ? "from ANY machine" : "on this machine"
            console.note("operators: \(address.rest)/operator, with the token, \(places)")
            // A closed standard output does not end the server.
            try? console.print("desk: \(address.desk)")
            if let createdToken { console.note("the operators' token for this run: \(createdToken)") }
        }
        if let script = configuration.script {
            console.note("running a script with \(script.stepCount) step\(script.stepCount == 1 ? "" : "s")")
        }
    }

    private func warn(_ configuration: ChatDevServerConfiguration) {
        if !isLoopback(configuration.host) {
            console.note("WARNING: other machines can reach this server, which does not verify who its clients are")
        }
        if configuration.dangerouslyAllowsRemoteOperators, configuration.tls == nil {
            console.note("WARNING: without TLS anyone on the network path can read the operators' token")
        }
    }

    private func isLoopback(_ host: String) -> Bool { (try? CanonicalHost(host))?.isLoopback == true }

    /// Returns the keys of the event, without secrets.
    private func facts(
        _ address: ChatDevServerAddress, _ configuration: ChatDevServerConfiguration, _ pins: [String]
    ) -> ServerLog.Fields {
        [
            ("rest", .string(address.rest)), ("webSocket", .string(address.webSocket)),
            ("dataStore", .string(address.dataStore)),
            ("operator", configuration.operatorToken.map { _ in .string(address.rest + "/operator") } ?? .null),
            ("desk", configuration.operatorToken.map { _ in .string(address.desk) } ?? .null),
            ("database", configuration.databasePath.map { .string($0) } ?? .null),
            ("pins", .list(pins.map { .string($0) })), ("root", rootPath.map { .string($0) } ?? .null),
            ("steps", .number(String(configuration.script?.stepCount ?? 0))),
        ]
    }

    private func writeJSON(_ facts: ServerLog.Fields) {
        let token: ServerLog.Fields = [("operatorToken", createdToken.map { .string($0) } ?? .null)]
        // A closed standard output does not end the server.
        try? console.print(JSONLine.text([("event", .string("listening"))] + facts + token))
    }
}
