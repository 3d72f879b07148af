import ChatCenterCore
import HoldfastBase

extension PageWriter {
    mutating func write(_ failure: TransportFailure) {
        kind(failure.kind.rawValue) { writer in
            if let trust = failure.trust {
                writer.object("trust") { writer in
                    writer.text("code", trust.code)
                    writer.text("reason", trust.reason)
                }
            }
            writer.number("status", failure.status.map { Int64($0) })
            if let refusal = failure.refusal { writer.member("refusal") { $0.write(refusal) } }
            writer.number("retryAfter", failure.retryAfterMilliseconds)
            writer.text("message", failure.sentence)
        }
    }

    mutating func write(_ refusal: ServerRefusal) {
        object { writer in
            writer.text("code", refusal.code)
            writer.text("details", refusal.details)
        }
    }

    mutating func write(_ cause: DisconnectCause) {
        let (name, sentence) = (cause.pageName, cause.sentence)
        kind(name) { writer in
            switch cause {
            case .transport(let failure): writer.member("failure") { $0.write(failure) }
            case .handshakeTimeout(let step): writer.text("step", step.rawValue)
            case .closedByServer(let code, let reason, let retryAfter):
                writer.number("code", code.map { Int64($0) })
                writer.text("reason", reason)
                writer.number("retryAfter", retryAfter)
            case .refused(let step, let refusal):
                writer.text("step", step.rawValue)
                writer.member("refusal") { $0.write(refusal) }
            case .linkDead, .tooManyAttempts: break
            }
            writer.text("message", sentence)
        }
    }
}

extension DisconnectCause {
    fileprivate var pageName: String {
        switch self {
        case .transport: "transport"
        case .handshakeTimeout: "handshakeTimeout"
        case .closedByServer: "closedByServer"
        case .refused: "refused"
        case .linkDead: "linkDead"
        case .tooManyAttempts: "tooManyAttempts"
        }
    }
}

// MARK: - Sentences for people

extension TransportFailure {
    /// An English sentence for people. Text of a server is made safe to print.
    var sentence: String {
        switch kind {
        case .noConnectivity: return "There is no network."
        case .unreachable: return "The server cannot be reached."
        case .timedOut: return "The server did not answer in time."
        case .trust:
            guard let trust else { return "The server's certificate was refused." }
            return "The server's certificate was refused: \(Printable.text(trust.reason))"
        case .tlsHandshake: return "The TLS handshake with the server failed."
        case .upgradeRefused: return "The server refused the connection" + details
        case .refused: return "The server refused the request" + details
        case .malformedAnswer:
            guard let explanation else { return "The server's answer is not valid." }
            return "The server's answer is not valid: \(Printable.text(explanation))"
        case .file: return "A local file cannot be read or written."
        case .cancelled: return "The request was cancelled."
        case .other: return "The request failed."
        }
    }

    /// The end of a sentence about a refusal.
    private var details: String {
        switch (status, refusal) {
        case (let status?, let refusal?): " (status \(status)): \(refusal.sentence)"
        case (let status?, nil): " (status \(status))."
        case (nil, let refusal?): ": \(refusal.sentence)"
        case (nil, nil): "."
        }
    }
}

extension ServerRefusal {
    /// The server's code and details, safe to print.
    var sentence: String { Printable.text(description) }
}

extension DisconnectCause {
    /// An English sentence for people.
    var sentence: String {
        switch self {
        case .transport(let failure): failure.sentence
        case .handshakeTimeout: "The server did not complete the connection in time."
        case .closedByServer(let code, let reason, _):
            "The server closed the connection" + (code.map { " (code \($0))" } ?? "")
                + (reason.isEmpty ? "." : ": \(Printable.text(reason))")
        case .refused(_, let refusal): "The server refused the connection: \(refusal.sentence)"
        case .linkDead: "The server did not answer on the open connection."
        case .tooManyAttempts: "Too many connections were opened within a short time. The next attempt is delayed."
        }
    }
}

extension StoreFailure {
    /// An English sentence for people.
    var sentence: String {
        switch kind {
        case .diskFull: "The disk is full."
        case .corrupt: "The file with the messages is corrupt."
        case .locked: "The file with the messages is encrypted, and the key is missing or wrong."
        case .other: "The messages cannot be saved."
        }
    }
}

extension SendFailure {
    /// An English sentence for people.
    var sentence: String {
        switch self {
        case .refused(let refusal): "The server refused the message: \(refusal.sentence)"
        case .timedOut: "The server did not confirm the message in time. The message may have arrived."
        case .lost(let tries): "The message was sent \(tries) times and did not arrive."
        case .expired: "The message waited too long for a connection."
        case .upload(let failure): "A file could not be uploaded. \(failure.sentence)"
        }
    }
}
