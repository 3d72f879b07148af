/// A word of a server, for the log. Only what looks like a code is one: anything else may be a person's text, which the
/// server repeats.
package enum ServerWord {
    /// What stands for anything else.
    package static let unknown = "‹unknown›"

    /// The word, if it is one of at most 64 letters, digits and `. _ -` of ASCII.
    package static func code(_ text: String) -> String {
        let isCode =
            !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
        return isCode ? text : unknown
    }
}

extension ServerRefusal {
    /// The code, without the details.
    package var logged: String { ServerWord.code(code) }
}

extension TransportFailure {
    /// What is known of it, without the server's own words.
    package var logged: String {
        let parts = [
            kind.rawValue, status.map { "status \($0)" }, refusal?.logged, trust.map { "\($0.code): \($0.reason)" },
            explanation,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension DisconnectCause {
    /// The same.
    var logged: String {
        switch self {
        case .transport(let failure): failure.logged
        case .handshakeTimeout(let step): "no answer to \(step)"
        case .closedByServer(let code, _, let wait):
            "closed by the server with \(code.map { "\($0)" } ?? "no code")"
                + (wait.map { ", which asks to wait \($0) ms" } ?? "")
        case .refused(let step, let refusal): "the server refused \(step): \(refusal.logged)"
        case .linkDead: "the link is dead"
        case .tooManyAttempts: "too many sockets within a short time"
        }
    }
}

extension SendFailure {
    /// The same.
    var logged: String {
        switch self {
        case .refused(let refusal): "refused: \(refusal.logged)"
        case .timedOut: "timed out"
        case .lost(let tries): "lost \(tries) times"
        case .expired: "expired"
        case .upload(let failure): "upload: \(failure.logged)"
        }
    }
}
