import HoldfastTransport
import HoldfastTrust

/// The server and the path that `holdfast ws` connects to.
struct WebSocketTarget: Hashable, Sendable {
    /// The URL as it was given.
    var url: String
    /// The server.
    var server: ProbeTarget
    /// Whether there is TLS.
    var isSecure: Bool

    /// Reads a `ws:` or `wss:` URL. Throws one sentence, which holds nothing of the URL but its scheme: what stands in front of an
    /// `@`, and behind a question mark, may be a secret.
    init(_ text: String) throws(ToolError) {
        let parts: RequestURL
        do throws(TransportError) {
            parts = try RequestURL(text)
        } catch {
            throw ToolError("the URL cannot be used: \(Printable.text(error.reason))", status: .usage)
        }
        guard parts.scheme == .ws || parts.scheme == .wss else {
            throw ToolError("the URL of a WebSocket begins with ws: or wss:", status: .usage)
        }
        guard !text.contains("#") else {
            throw ToolError("the URL of a WebSocket has no fragment", status: .usage)
        }
        url = text
        server = ProbeTarget(host: parts.host, port: parts.port)
        isSecure = parts.scheme == .wss
    }
}
