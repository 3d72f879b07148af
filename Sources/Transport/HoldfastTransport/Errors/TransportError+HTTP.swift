import NIOCore
import NIOHPACK
import NIOHTTP2

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

extension TransportError {
    /// Creates the error for an HTTP/2 connection that SwiftNIO's HTTP/2 implementation aborted.
    init(http2 error: any NIOHTTP2Error) {
        switch error {
        case is NIOHTTP2Errors.ExcessiveRSTFrames, is NIOHTTP2Errors.ExcessiveControlFrames,
            is NIOHTTP2Errors.ExcessiveEmptyDataFrames, is NIOHTTP2Errors.ExcessiveContinuationFrames,
            is NIOHTTP2Errors.ExcessiveStreamErrors, is NIOHTTP2Errors.ExcessiveNumberOfGlitches,
            is NIOHTTP2Errors.ExcessiveOutboundFrameBuffering:
            self.init(
                .tooManyFrames, in: .awaitingResponse,
                "The server sent too many frames without response data: \(error).")
        case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock:
            self = SectionScan.tooLarge
        case is NIOHTTP2Errors.PushInViolationOfSetting:
            self = .malformed(.push, "The server pushed a response although the client disabled push.")
        default:
            self = .malformed(.frame, "The server violated the HTTP/2 protocol: \(error).")
        }
    }

    /// Creates an error from one that the library reports without sending GOAWAY. Returns `nil` if the connection can
    /// continue.
    ///
    /// Errors that name a stream are excluded, because that stream reports them. Frames that arrive after the server's
    /// GOAWAY are excluded too, because the streams that the GOAWAY rejects have already ended.
    init?(unsent error: any NIOHTTP2Error) {
        switch error {
        case is NIOHTTP2Errors.MaxStreamsViolation, is NIOHTTP2Errors.StreamIDTooSmall,
            is NIOHTTP2Errors.UnableToSerializeFrame, is NIOHTTP2Errors.ActivationError:
            self.init(.connectionClosed, in: .awaitingResponse, "A frame could not be sent: \(error).")
        default:
            return nil
        }
    }
}

extension HTTP2ErrorCode {
    /// The name of the error code (RFC 9113, 7).
    var name: String {
        switch self {
        case .noError: "NO_ERROR"
        case .protocolError: "PROTOCOL_ERROR"
        case .internalError: "INTERNAL_ERROR"
        case .flowControlError: "FLOW_CONTROL_ERROR"
        case .settingsTimeout: "SETTINGS_TIMEOUT"
        case .streamClosed: "STREAM_CLOSED"
        case .frameSizeError: "FRAME_SIZE_ERROR"
        case .refusedStream: "REFUSED_STREAM"
        case .cancel: "CANCEL"
        case .compressionError: "COMPRESSION_ERROR"
        case .connectError: "CONNECT_ERROR"
        case .enhanceYourCalm: "ENHANCE_YOUR_CALM"
        case .inadequateSecurity: "INADEQUATE_SECURITY"
        case .http11Required: "HTTP_1_1_REQUIRED"
        default: "error \(networkCode)"
        }
    }
}
