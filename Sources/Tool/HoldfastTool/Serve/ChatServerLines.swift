import HoldfastBase
import ChatDevServer
import HoldfastTrust

/// What `holdfast serve chat` says when it listens: where, how to trust it, and who may do what.
struct ChatServerLines: Sendable {
    let console: Console
    let asJSON: Bool
    /// Where the root certificate was written to.
    let rootPath: String?

    /// The server accepts connections.
    func listening(_ address: ChatDevServerAddress, _ configuration: ChatDevServerConfiguration) {
        let pins = configuration.authority.map { $0.pins.map { "\($0)" } } ?? []
        guard !asJSON else { return writeJSON(address, configuration, pins) }
        console.note("REST \(address.rest), socket \(address.webSocket), files \(address.dataStore)")
        if let database = configuration.databasePath {
            console.note("conversations are kept in \(Printable.text(database))")
        } else {
            console.note("nothing is kept: conversations end with the server")
        }
        if let authority = configuration.authority {
            console.note(
                "TLS for \(authority.host) and \(authority.ipAddress), by an authority that ends with the server")
            for (pin, name) in zip(pins, ["the key in use", "the backup key"]) { console.note("  pin \(pin)  \(name)") }
            if let rootPath {
                console.note("  clients that trust \(Printable.text(rootPath)) trust it: --trust-anchors of holdfast")
            } else {
                console.note("  --root FILE writes the certificate that clients have to trust")
            }
        } else if let identity = configuration.tls {
            let count = identity.chain.count
            console.note("TLS with the given chain of \(count) certificate\(count == 1 ? "" : "s")")
        } else {
            console.note("without TLS: everybody on the way reads and changes everything")
        }
        if configuration.operatorToken != nil {
            let places = configuration.dangerouslyAllowsRemoteOperators ? "from ANY machine" : "on this machine"
            console.note("operators: \(address.rest)/operator, with the token, \(places)")
        }
        if let script = configuration.script {
            console.note("a script runs, of \(script.stepCount) step\(script.stepCount == 1 ? "" : "s")")
        }
        if !isLoopback(configuration.host) {
            console.note("WARNING: other machines reach this server, and it believes what clients say of themselves")
        }
        if configuration.dangerouslyAllowsRemoteOperators, configuration.tls == nil {
            console.note("WARNING: without TLS everybody on the way reads the operators' token")
        }
    }

    private func isLoopback(_ host: String) -> Bool { (try? CanonicalHost(host))?.isLoopback == true }

    private func writeJSON(
        _ address: ChatDevServerAddress, _ configuration: ChatDevServerConfiguration, _ pins: [String]
    ) {
        let text = JSONWriter.text(
            .fields([
                ("event", .string("listening")), ("rest", .string(address.rest)),
                ("webSocket", .string(address.webSocket)), ("dataStore", .string(address.dataStore)),
                ("operator", configuration.operatorToken.map { _ in .string(address.rest + "/operator") } ?? .null),
                ("database", configuration.databasePath.map { .string($0) } ?? .null),
                ("pins", .list(pins.map { .string($0) })), ("root", rootPath.map { .string($0) } ?? .null),
                ("steps", .number(String(configuration.script?.stepCount ?? 0))),
            ]))
        // Whoever no longer reads does not end the server.
        try? console.print(text.split(separator: "\n").joined())
    }
}
