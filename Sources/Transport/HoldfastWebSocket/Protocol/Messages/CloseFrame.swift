/// The content of a close frame (RFC 6455, 5.5.1): nothing, or a code and a reason.
package struct CloseFrame: Hashable, Sendable {
    /// The code; ``WebSocketCloseCode/noStatus`` for an empty frame.
    package var code: WebSocketCloseCode
    /// The reason; empty if there is none.
    package var reason: String

    /// The maximum reason in bytes of UTF-8: 125 bytes of a control frame minus two for the code. A longer reason is
    /// cut.
    package static let maximumReason = 123

    /// Makes a close frame to send. A reason that is too long is truncated at a character boundary. Without a code,
    /// there is no reason.
    package init(code: WebSocketCloseCode, reason: String = "") {
        self.code = code
        self.reason = code == .noStatus ? "" : Self.shortened(reason)
    }

    /// Parses the payload of a received close frame.
    package init(payload: [UInt8]) throws(ReceivingFailure) {
        guard !payload.isEmpty else {
            self.code = .noStatus
            self.reason = ""
            return
        }
        guard payload.count >= 2 else { throw .violation(.truncatedCloseCode) }
        let value = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard let code = WebSocketCloseCode(rawValue: value), code.isAllowedOnWire else {
            throw .violation(.invalidCloseCode)
        }
        var validator = UTF8Validator()
        let reason = payload[2...]
        guard reason.withUnsafeBytes({ validator.consume($0) }), validator.isComplete else {
            throw .violation(.invalidUTF8)
        }
        self.code = code
        self.reason = String(decoding: reason, as: UTF8.self)
    }

    /// The payload of the frame.
    package var payload: [UInt8] {
        guard code.isAllowedOnWire else { return [] }
        return [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(reason.utf8)
    }

    private static func shortened(_ reason: String) -> String {
        guard reason.utf8.count > maximumReason else { return reason }
        var size = 0
        let kept = reason.prefix { character in
            size += character.utf8.count
            return size <= maximumReason
        }
        return String(kept)
    }
}
