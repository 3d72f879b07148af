/// A description of how a connection ended.
public struct WebSocketClosure: Hashable, Sendable {
    /// The end that began to close the connection.
    public enum Initiator: Hashable, Sendable {
        /// This end.
        case local
        /// The peer.
        case remote
    }

    /// The close code: the peer's if it sent one, otherwise this end's. ``WebSocketCloseCode/abnormal`` if the
    /// connection ended without a close frame.
    public var code: WebSocketCloseCode
    /// The reason that came with the code. The peer may have written it, so treat it as untrusted text.
    public var reason: String
    /// The end that began to close the connection.
    public var initiator: Initiator
    /// Whether both ends sent a close frame and followed the protocol.
    public var isClean: Bool

    /// Makes a closure from its parts.
    public init(code: WebSocketCloseCode, reason: String = "", initiator: Initiator, isClean: Bool) {
        self.code = code
        self.reason = reason
        self.initiator = initiator
        self.isClean = isClean
    }
}

/// A WebSocket close code (RFC 6455, 7.4, and the IANA registry).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The numeric code.
    public let rawValue: UInt16

    /// Makes a code from its number. Returns `nil` for numbers that are neither allowed in frames nor reported by an
    /// API: below 1000, reserved or unassigned below 3000, and above 4999.
    public init?(rawValue: UInt16) {
        switch rawValue {
        case 1000...1003, 1005...1015, 3000...4999: self.rawValue = rawValue
        default: return nil
        }
    }

    private init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// 1000: the connection has served its purpose.
    public static let normal = WebSocketCloseCode(1000)
    /// 1001: an endpoint is going away, such as a server that shuts down or an app that exits.
    public static let goingAway = WebSocketCloseCode(1001)
    /// 1002: a protocol error by the peer.
    public static let protocolError = WebSocketCloseCode(1002)
    /// 1003: a type of data that the endpoint cannot accept.
    public static let unsupportedData = WebSocketCloseCode(1003)
    /// 1005: the close frame had no code. Never sent: ``WebSocketConnection/close(_:reason:)`` sends an empty close
    /// frame instead.
    public static let noStatus = WebSocketCloseCode(1005)
    /// 1006: the connection ended without a close frame. Never sent: ``WebSocketConnection/close(_:reason:)`` cuts the
    /// connection instead.
    public static let abnormal = WebSocketCloseCode(1006)
    /// 1007: data that does not match its type, such as text that is not UTF-8.
    public static let invalidPayload = WebSocketCloseCode(1007)
    /// 1008: a policy violation.
    public static let policyViolation = WebSocketCloseCode(1008)
    /// 1009: a message that is too big.
    public static let messageTooBig = WebSocketCloseCode(1009)
    /// 1010: the client requires an extension that the server did not negotiate.
    public static let missingExtension = WebSocketCloseCode(1010)
    /// 1011: an unexpected condition at an endpoint.
    public static let internalError = WebSocketCloseCode(1011)
    /// 1012: the service is restarting.
    public static let serviceRestart = WebSocketCloseCode(1012)
    /// 1013: try again later.
    public static let tryAgainLater = WebSocketCloseCode(1013)
    /// 1014: a gateway received an invalid response.
    public static let badGateway = WebSocketCloseCode(1014)
    /// 1015: the TLS handshake failed. Never sent: treated like ``abnormal``.
    public static let tlsFailure = WebSocketCloseCode(1015)

    /// Whether a close frame may contain the code (RFC 6455, 7.4.1 and 7.4.2).
    public var isAllowedOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The numeric code as text.
    public var description: String { String(rawValue) }
}
