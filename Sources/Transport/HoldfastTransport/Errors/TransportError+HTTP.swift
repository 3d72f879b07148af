import NIOCore

extension TransportError {
    /// Returns the error for a malformed or ambiguous response.
    static func malformed(_ defect: ResponseDefect, _ reason: String) -> TransportError {
        var error = TransportError(.malformedResponse, in: .awaitingResponse, reason)
        error.defect = defect
        return error
    }

    /// Returns the error for more informational (1xx) responses to one request than `limit`.
    static func tooManyInformational(_ limit: Int) -> TransportError {
        TransportError(
            .tooManyInformationalResponses, in: .awaitingResponse,
            "The server sent more than \(limit) informational responses.")
    }

    /// Creates an error from one that a connection's channel reports during an exchange.
    init(channel error: any Error, in phase: Phase) {
        switch error {
        case let error as TransportError:
            self = error
            if self.phase == .awaitingResponse { self.phase = phase }
        default:
            self.init(.connectionClosed, in: phase, "The connection failed: \(error).")
        }
    }

    /// Returns the error for a connection that was closed during a response.
    static func lost(in phase: Phase) -> TransportError {
        TransportError(
            .connectionClosed, in: phase, "The server closed the connection before the response was complete.")
    }

    /// The error for a connection that was closed before any byte of the request was sent.
    static var closedUnused: TransportError {
        TransportError(.connectionClosed, in: .waiting, "The connection was closed before it could be used.")
    }

    /// The error for a client that was shut down.
    static var shutDown: TransportError { TransportError(.shutDown, in: .waiting, "The client has been shut down.") }

    /// The error for a request whose total timeout expired.
    static var totalTimeIsUp: TransportError {
        TransportError(.timedOut, in: .total, "The request's total timeout expired.")
    }

    /// Returns the error for a request that waited too long. `reason` describes what it waited for.
    static func waitedTooLong(_ reason: String) -> TransportError { TransportError(.timedOut, in: .waiting, reason) }
}
