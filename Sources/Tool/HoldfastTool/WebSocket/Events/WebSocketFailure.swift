import HoldfastBase
import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

/// Why there is no connection. All text in it is safe to print. This end puts nothing in that it has sent; a server's body
/// may echo what it likes.
struct WebSocketFailure: Hashable, Sendable {
    /// What a server answered that does not grant the upgrade.
    struct Answer: Hashable, Sendable {
        /// The status code.
        var status: Int
        /// What it says of credentials, of waiting and of another place: `WWW-Authenticate`, `Retry-After`, `Location`.
        /// Other fields may hold secrets, and are not told; nor is the query of a place, which may be ours.
        var fields: [Field] = []
        /// The start of the body.
        var body = ""
    }

    /// A header field.
    struct Field: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// The kind of failure: stable.
    var code: String
    /// One sentence.
    var reason: String
    /// The exit code.
    var status: ToolStatus
    /// What the server answered, where it did.
    var answer: Answer?
    /// What can be done, if anything comes to mind.
    var remedy: String?
    /// What was seen and judged, where the server was refused.
    var report: ProbeReport?
}

extension WebSocketFailure {
    /// A server that does not grant the upgrade, or not properly.
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

    /// A place without its query and its fragment: a server that redirects `/chat?token=…` repeats the token.
    private static func place(_ text: String) -> String {
        // Scalars: a question mark with a combining mark behind it is another character, and begins a query all the same.
        guard let end = text.unicodeScalars.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return text }
        return String(text.unicodeScalars[...end]) + "…"
    }

    /// What went wrong below the WebSocket. `prober` is what has connected.
    init(_ error: TransportError, at server: ProbeTarget, prober: Prober) {
        switch (error.code, ProbeOutcome(.failure(error))) {
        case (.invalidURL, _), (.cleartextRefused, _):
            self.init(code: error.code.rawValue, reason: Printable.text(ErrorText.plain(error.reason)), status: .usage)
            if error.code == .cleartextRefused {
                remedy = "--dangerously-allow-cleartext sends everything readable for all on the way"
            }
        case (_, .refused(let finding)):
            self.init(code: finding.code, reason: finding.reason, status: .failure)
            report = error.verdict.map { ProbeReport($0, on: server, prober: prober) }
            remedy = "holdfast probe \(server) shows what the server sends"
        case (_, .failed(let failure)):
            // Behind the handshake there was a verdict: what fails then is the upgrade.
            self.init(
                code: failure.code, reason: failure.reason, status: error.phase == .upgrading ? .failure : .unreachable)
            if error.proxy?.code == .authentication {
                remedy = "--proxy http://USER:PASSWORD@HOST:PORT gives the proxy its credential"
            }
        case (_, .allowed):
            self.init(
                code: error.code.rawValue, reason: Printable.text(ErrorText.plain(error.reason)), status: .unreachable)
        }
    }

    private static func remedy(for status: Int) -> String? {
        switch status {
        case 200..<300:
            "there is a web server at this path, and no WebSocket; a proxy on the way may have dropped the upgrade"
        case 300..<400: "redirects of an upgrade are not followed; give the URL that the server names"
        case 400:
            "a proxy on the way may have dropped the upgrade: nginx wants proxy_http_version 1.1, and Upgrade and Connection set"
        case 401, 403:
            "--header 'Authorization: …' or --header @FILE sends a credential, --header 'Origin: …' an origin"
        case 404: "nothing answers at this path"
        case 426: "the server wants another version of the protocol, or none at this path"
        case 502...504: "the WebSocket server behind this gateway does not answer"
        default: nil
        }
    }
}
