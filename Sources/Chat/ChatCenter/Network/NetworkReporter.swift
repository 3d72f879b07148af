import ChatCenterCore
import ChatWire
import HTTPTypes

/// Shared by all parts of the network: the receivers of events, errors and log lines.
struct NetworkReporter: Sendable {
    let sink: @Sendable (NetworkEvent) -> Void
    let errors: ErrorTable
    let log: ChatLog
    /// Returns after all events that were passed to `sink` are handled. This slows down a server that writes faster.
    var settle: @Sendable () async -> Void = {}
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// Keeps an error, logs it, and returns its representation for the core.
    func failure(_ error: any Error, _ what: String) -> TransportFailure {
        let failure = TransportFailure(error, keptIn: errors, now: now())
        log.write([.error], "\(what) failed (\(failure.kind.rawValue)): \(words(error))")
        if let diagnosis = errors.diagnosis(failure.errorID) {
            log.write([.error], "diagnosis: \(diagnosis)")
        }
        return failure
    }

    /// Describes an error without the server's message, which may repeat the user's text.
    private func words(_ error: any Error) -> String {
        guard !log.allowsSecrets, let error = error as? ChatServerError else { return "\(error)" }
        return "The server answered with status \(error.status)" + (error.refusal.map { ": \($0.logged)" } ?? "") + "."
    }
}

/// Log lines about network traffic. Unless the log allows secrets, they contain the kind and the size of the data,
/// never its contents.
enum NetworkLog {
    static func sent(_ frame: ClientFrame, _ bytes: [UInt8], _ generation: Generation, _ log: ChatLog) -> String {
        line("→", frame.action + kind(of: frame), bytes, generation, log)
    }

    static func received(_ frame: ServerFrame, _ bytes: [UInt8], _ generation: Generation, _ log: ChatLog) -> String {
        line("←", LoggedWord.code(frame.action) + kind(of: frame), bytes, generation, log)
    }

    /// Returns a path without its query.
    static func path(_ request: HTTPRequest) -> Substring {
        (request.path ?? "/").prefix { $0 != "?" }
    }

    /// Returns the line for a request, without the values of the query, which contain the user's search text.
    static func request(_ request: HTTPRequest, _ log: ChatLog) -> String {
        guard log.allowsSecrets else { return "→ \(request.method) \(path(request))" }
        let headers = request.headerFields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        return "→ \(request.method) \(request.path ?? "/") [\(headers)]"
    }

    /// Returns the line for a response.
    static func response(_ response: HTTPResponse, _ body: [UInt8], _ request: HTTPRequest, _ log: ChatLog) -> String {
        let text = log.allowsSecrets ? " " + String(decoding: body.prefix(rawLimit), as: UTF8.self) : ""
        return "← \(response.status.code) \(path(request)), \(body.count) bytes\(text)"
    }

    /// The maximum number of bytes of a frame or body in the log, if secrets are allowed. The rest is left out.
    private static let rawLimit = 16 * 1024

    private static func line(
        _ direction: String, _ what: String, _ bytes: [UInt8], _ generation: Generation, _ log: ChatLog
    ) -> String {
        let text = log.allowsSecrets ? " " + String(decoding: bytes.prefix(rawLimit), as: UTF8.self) : ""
        return "socket \(generation.number): \(direction) \(what), \(bytes.count) bytes\(text)"
    }

    private static func kind(of frame: ClientFrame) -> String {
        if case .sendMessage(let content, _) = frame.body { " " + content.wireType } else { "" }
    }

    private static func kind(of frame: ServerFrame) -> String {
        switch frame.body {
        case .messages(let messages):
            " (" + messages.prefix(16).map { LoggedWord.code($0.content.wireType) }.joined(separator: ", ")
                + (messages.count > 16 ? ", …" : "") + ")"
        case .failure(_, let failure): " error \(LoggedWord.code(failure.error))"
        default: ""
        }
    }
}
