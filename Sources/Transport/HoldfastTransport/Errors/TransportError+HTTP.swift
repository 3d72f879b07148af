import NIOCore

extension TransportError {
    /// The peer's bytes cannot be read, or can be read in two ways.
    static func malformed(_ defect: ResponseDefect, _ reason: String) -> TransportError {
        var error = TransportError(.malformedResponse, in: .awaitingResponse, reason)
        error.defect = defect
        return error
    }

    /// The server sent more informational responses (1xx) to one request than the limit.
    static func tooManyInformational(_ limit: Int) -> TransportError {
        TransportError(
            .tooManyInformationalResponses, in: .awaitingResponse,
            "The server sent more than \(limit) informational responses.")
    }

    /// Reads an error that a connection's channel reports while it carries an exchange.
    init(channel error: any Error, in phase: Phase) {
        switch error {
        case let error as TransportError:
            self = error
            if self.phase == .awaitingResponse { self.phase = phase }
        default:
            self.init(.connectionClosed, in: phase, "The connection broke: \(error).")
        }
    }

    /// The connection has ended in the middle of a response.
    static func lost(in phase: Phase) -> TransportError {
        TransportError(
            .connectionClosed, in: phase, "The server closed the connection before the response was complete.")
    }

    /// The connection has ended, and nothing of the request was sent on it.
    static var closedUnused: TransportError {
        TransportError(.connectionClosed, in: .waiting, "The connection was closed before it could be used.")
    }

    /// The client was shut down.
    static var shutDown: TransportError { TransportError(.shutDown, in: .waiting, "The client has been shut down.") }

    /// The total time of a request is up.
    static var totalTimeIsUp: TransportError {
        TransportError(.timedOut, in: .total, "The request's total time is up.")
    }

    /// A request has waited for too long; `reason` says for what.
    static func waitedTooLong(_ reason: String) -> TransportError { TransportError(.timedOut, in: .waiting, reason) }
}
