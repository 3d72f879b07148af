import HoldfastBase
import HoldfastTransport
import HoldfastTrust

/// The server and the URL that `holdfast get` requests.
struct GetTarget: Hashable, Sendable {
    /// The parts of the URL.
    var url: RequestURL

    /// The server.
    var server: ProbeTarget { url.server }

    /// Parses an `http:` or `https:` URL. Throws one sentence, which contains no part of the URL: the text before an
    /// `@` and after a question mark may be secret.
    init(_ text: String) throws(ToolError) {
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
        guard scheme == "https" || scheme == "http" else {
            throw ToolError("the URL must begin with https:// (or http:// for this machine)", status: .usage)
        }
        do throws(TransportError) {
            url = try RequestURL(text)
        } catch {
            let hint = text.contains("@") ? "; give credentials with --header @FILE" : ""
            throw ToolError(
                "the URL cannot be used: \(ErrorText.clause(Printable.text(error.reason)))\(hint)", status: .usage)
        }
    }
}

extension RequestURL {
    /// The server of the URL.
    var server: ProbeTarget { ProbeTarget(host: host, port: port) }

    /// The URL for messages: without the value of its query, which may be secret.
    var shown: String { Printable.text("\(scheme.rawValue)://\(authority)\(shownTarget)") }

    /// The path for messages, without the value of the query.
    var shownTarget: String {
        guard let mark = target.firstIndex(of: "?") else { return Printable.text(target) }
        return Printable.text(String(target[...mark]) + "…")
    }
}
