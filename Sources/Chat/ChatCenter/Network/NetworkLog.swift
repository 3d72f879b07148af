import ChatCenterCore
import ChatWire
import HTTPTypes

/// Lines about what goes over the network. Without leave to log secrets they say what kind of thing it was and how
/// large, never what was in it.
enum NetworkLog {
    static func sent(_ frame: ClientFrame, _ bytes: [UInt8], _ generation: Generation, _ log: ChatLog) -> String {
        line("→", frame.action + kind(of: frame), bytes, generation, log)
    }

    static func received(_ frame: ServerFrame, _ bytes: [UInt8], _ generation: Generation, _ log: ChatLog) -> String {
        line("←", ServerWord.code(frame.action) + kind(of: frame), bytes, generation, log)
    }

    /// A path without its query.
    static func path(_ request: HTTPRequest) -> Substring {
        (request.path ?? "/").prefix { $0 != "?" }
    }

    /// A request. A query holds what a user looks for: its values are left out.
    static func request(_ request: HTTPRequest, _ log: ChatLog) -> String {
        guard log.allowsSecrets else { return "→ \(request.method) \(path(request))" }
        let headers = request.headerFields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        return "→ \(request.method) \(request.path ?? "/") [\(headers)]"
    }

    /// An answer.
    static func response(_ response: HTTPResponse, _ body: [UInt8], _ request: HTTPRequest, _ log: ChatLog) -> String {
        let text = log.allowsSecrets ? " " + String(decoding: body.prefix(rawLimit), as: UTF8.self) : ""
        return "← \(response.status.code) \(path(request)), \(body.count) bytes\(text)"
    }

    /// How much of a frame or body is logged where secrets may be.
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
            " (" + messages.prefix(16).map { ServerWord.code($0.content.wireType) }.joined(separator: ", ")
                + (messages.count > 16 ? ", …" : "") + ")"
        case .failure(_, let failure): " error \(ServerWord.code(failure.error))"
        default: ""
        }
    }
}

/// What every part of the network shares: where events, errors and log lines go.
struct NetworkReporter: Sendable {
    let sink: @Sendable (NetworkEvent) -> Void
    let errors: ErrorTable
    let log: ChatLog
    /// Returns when everything that was handed to `sink` before has been handled: a server that writes faster waits.
    var settle: @Sendable () async -> Void = {}
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// Keeps an error, logs it, and returns what the core is told of it.
    func failure(_ error: any Error, _ what: String) -> TransportFailure {
        let failure = TransportFailure(error, keptIn: errors, now: now())
        log.write([.error], "\(what) failed (\(failure.kind.rawValue)): \(words(error))")
        if let diagnosis = errors.diagnosis(failure.errorID) {
            log.write([.error], "diagnosis: \(diagnosis)")
        }
        return failure
    }

    /// What a server writes beside its code may repeat what the user wrote.
    private func words(_ error: any Error) -> String {
        guard !log.allowsSecrets, let error = error as? ChatServerError else { return "\(error)" }
        return "The server answered \(error.status)" + (error.refusal.map { ": \($0.logged)" } ?? "") + "."
    }
}
