import HoldfastBase
import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket

/// Why the connection failed. All text is safe to print. Contains nothing that this side has sent; but a server's body
/// may echo anything.
struct WebSocketFailure: Hashable, Sendable {
    /// A server's answer that does not grant the upgrade.
    struct Answer: Hashable, Sendable {
        /// The status code.
        var status: Int
        /// The fields about credentials, retries and redirects: `WWW-Authenticate`, `Retry-After`, `Location`. Other
        /// fields may contain secrets and are omitted, as is the query of a location, which may be this side's own.
        var fields: [Field] = []
        /// The start of the body.
        var body = ""
    }

    /// A header field.
    struct Field: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// The kind of failure; stable.
    var code: String
    /// One sentence.
    var reason: String
    /// The exit code.
    var status: ToolStatus
    /// The server's answer, if there was one.
    var answer: Answer?
    /// A remedy, if one is known.
    var remedy: String?
    /// The evidence and the verdict, if the server was refused.
    var report: ProbeReport?
}

extension WebSocketFailure {
    /// Describes a server's refusal or an invalid upgrade.
    init(_ error: WebSocketError) {
        let isOurs = error.code == .invalidOptions
        self.init(
            code: error.code.rawValue, reason: Printable.text(ErrorText.plain(error.reason)),
            status: isOurs ? .usage : .failure)
        guard let refusal = error.refusal else { return }
        let names = ["WWW-Authenticate", "Retry-After", "Location"]
        answer = Answer(
            status: refusal.status,
            fields: names.flatMap { name in
                refusal.headerFields.filter { $0.name.canonicalName == name.lowercased() }
                    .map {
                        Field(name: name, value: Printable.text(name == "Location" ? Self.place($0.value) : $0.value))
                    }
            },
            body: Printable.text(Array(refusal.body.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed())))
        remedy = Self.remedy(for: refusal.status)
    }

    /// Removes the query and the fragment: a server that redirects `/chat?token=…` repeats the token.
    private static func place(_ text: String) -> String {
        // Compares scalars: a question mark with a combining mark is another character, but still begins a query.
        guard let end = text.unicodeScalars.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return text }
        return String(text.unicodeScalars[...end]) + "…"
    }

    /// Describes a failure below the WebSocket layer. `prober` made the connection.
    init(_ error: TransportError, at server: ProbeTarget, prober: Prober) {
        switch (error.code, ProbeOutcome(.failure(error))) {
        case (.invalidURL, _), (.cleartextRefused, _):
            self.init(code: error.code.rawValue, reason: Printable.text(ErrorText.plain(error.reason)), status: .usage)
            if error.code == .cleartextRefused {
                remedy = "use wss:, or allow unencrypted connections with --dangerously-allow-cleartext"
            }
        case (_, .refused(let finding)):
            self.init(code: finding.code, reason: finding.reason, status: .failure)
            report = error.verdict.map { ProbeReport($0, on: server, prober: prober) }
            remedy = "holdfast probe \(server) shows what the server sends"
        case (_, .failed(let failure)):
            // The verdict followed the handshake, so a failure after that concerns the upgrade.
            self.init(
                code: failure.code, reason: failure.reason, status: error.phase == .upgrading ? .failure : .unreachable)
            if error.proxy?.code == .authentication {
                remedy = "give the proxy's credentials with --proxy http://USER:PASSWORD@HOST:PORT"
            }
        case (_, .allowed):
            self.init(
                code: error.code.rawValue, reason: Printable.text(ErrorText.plain(error.reason)), status: .unreachable)
        }
    }

    private static func remedy(for status: Int) -> String? {
        switch status {
        case 200..<300:
            "this path serves HTTP without WebSocket, or a proxy has dropped the upgrade"
        case 300..<400: "redirects of an upgrade are not followed; give the URL that the server names"
        case 400:
            "a proxy may have dropped the upgrade: nginx needs proxy_http_version 1.1, and Upgrade and Connection set"
        case 401, 403:
            "add --header 'Authorization: …' or --header @FILE for a credential, --header 'Origin: …' for an origin"
        case 404: "nothing answers at this path"
        case 426: "the server needs another protocol version, or this path has no WebSocket"
        case 502...504: "the WebSocket server behind this gateway does not answer"
        default: nil
        }
    }
}
