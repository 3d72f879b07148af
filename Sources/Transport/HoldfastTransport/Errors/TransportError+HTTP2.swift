import NIOHPACK
import NIOHTTP2

extension TransportError {
    /// Reads why the library has given up on a connection of HTTP/2.
    init(http2 error: any NIOHTTP2Error) {
        switch error {
        case is NIOHTTP2Errors.ExcessiveRSTFrames, is NIOHTTP2Errors.ExcessiveControlFrames,
            is NIOHTTP2Errors.ExcessiveEmptyDataFrames, is NIOHTTP2Errors.ExcessiveContinuationFrames,
            is NIOHTTP2Errors.ExcessiveStreamErrors, is NIOHTTP2Errors.ExcessiveNumberOfGlitches,
            is NIOHTTP2Errors.ExcessiveOutboundFrameBuffering:
            self.init(
                .tooManyFrames, in: .awaitingResponse,
                "The server sent too many frames that carry nothing of a response: \(error).")
        case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock:
            self = SectionScan.tooLarge
        case is NIOHTTP2Errors.PushInViolationOfSetting:
            self = .malformed(.push, "The server pushes a response, which it was told not to.")
        default:
            self = .malformed(.frame, "The server breaks the rules of HTTP/2: \(error).")
        }
    }

    /// Reads an error that the library reports without a GOAWAY of its own. `nil` where the connection can go on.
    ///
    /// Left out are errors that name a stream, which hears of its end, and frames that come too late because the server has sent a GOAWAY:
    /// the streams that it leaves out have been ended then.
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
    /// The name in RFC 9113, 7.
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
