import NIOCore
import NIOHTTP1

extension TransportError {
    /// The peer's bytes cannot be read, or can be read in two ways.
    static func malformed(_ reason: String) -> TransportError {
        TransportError(.malformedResponse, in: .awaitingResponse, reason)
    }

    /// Reads an error that a connection's channel reports while it carries an exchange.
    init(channel error: any Error, in phase: Phase) {
        switch error {
        case let error as TransportError:
            self = error
            if self.phase == .awaitingResponse { self.phase = phase }
        case HTTPParserError.headerOverflow:
            self.init(.responseTooLarge, in: phase, "The head of the response is larger than the limit.")
        case HTTPParserError.invalidEOFState:
            self.init(.connectionClosed, in: phase, "The connection ended in the middle of the response.")
        case let error as HTTPParserError:
            self.init(.malformedResponse, in: phase, "The response is not HTTP: \(error).")
        case is NIOHTTPDecoderError, is ByteToMessageDecoderError:
            self.init(.malformedResponse, in: phase, "The server sent a response that was not asked for.")
        default:
            self.init(.connectionClosed, in: phase, "The connection broke: \(error).")
        }
    }
}
