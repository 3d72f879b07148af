/// A log record. It contains no token, no message text and no user data.
package struct ChatLogRecord: Hashable, Sendable {
    package enum Category: String, Hashable, Sendable {
        case info
        case rest
        case webSocket
        case error
    }

    package var category: Category
    package var message: String

    package init(_ category: Category, _ message: String) {
        self.category = category
        self.message = message
    }
}

/// Filters server-provided words before they are logged. Only text that looks like a code is logged, because other
/// text may repeat what a person wrote.
package enum LoggedWord {
    /// The placeholder for all other text.
    package static let unknown = "‹unknown›"

    /// Returns the text if it has 1 to 64 ASCII letters, digits or `. _ -`; otherwise ``unknown``.
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
    /// The code without the details.
    package var logged: String { LoggedWord.code(code) }
}

extension TransportFailure {
    /// A description for the log, without free text from the server.
    package var logged: String {
        let parts = [
            kind.rawValue, status.map { "status \($0)" }, refusal?.logged, trust.map { "\($0.code): \($0.reason)" },
            explanation,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension DisconnectCause {
    /// A description for the log, without free text from the server.
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
    /// A description for the log, without free text from the server.
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
