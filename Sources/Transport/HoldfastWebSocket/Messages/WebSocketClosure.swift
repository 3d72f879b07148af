/// How a connection ended.
public struct WebSocketClosure: Hashable, Sendable {
    /// Which end began to close.
    public enum Initiator: Hashable, Sendable {
        /// This end.
        case local
        /// The peer.
        case remote
    }

    /// The code: the peer's where it sent one, else our own; ``WebSocketCloseCode/abnormal`` where the connection ended
    /// without a close frame.
    public var code: WebSocketCloseCode
    /// The reason that came with the code; the peer wrote it, so show it with care.
    public var reason: String
    /// Which end began.
    public var initiator: Initiator
    /// Whether both ends sent a close frame and nobody broke the protocol.
    public var isClean: Bool

    /// Describes an end.
    public init(code: WebSocketCloseCode, reason: String = "", initiator: Initiator, isClean: Bool) {
        self.code = code
        self.reason = reason
        self.initiator = initiator
        self.isClean = isClean
    }
}

/// Why a WebSocket connection was closed (RFC 6455, 7.4, and the IANA registry of close codes).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let rawValue: UInt16

    /// A code by its number; `nil` for a number that no frame may carry and no API reports: below 1000, reserved or
    /// unassigned below 3000, above 4999.
    public init?(rawValue: UInt16) {
        switch rawValue {
        case 1000...1003, 1005...1015, 3000...4999: self.rawValue = rawValue
        default: return nil
        }
    }

    private init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// 1000: the purpose of the connection is fulfilled.
    public static let normal = WebSocketCloseCode(1000)
    /// 1001: an end goes away, a server that goes down or an app that leaves.
    public static let goingAway = WebSocketCloseCode(1001)
    /// 1002: the peer broke the protocol.
    public static let protocolError = WebSocketCloseCode(1002)
    /// 1003: a kind of data that the end cannot accept.
    public static let unsupportedData = WebSocketCloseCode(1003)
    /// 1005: the close frame had no code. Never on the wire: ``WebSocketConnection/close(_:reason:)`` sends an empty
    /// close frame for it.
    public static let noStatus = WebSocketCloseCode(1005)
    /// 1006: the connection ended without a close frame. Never on the wire: ``WebSocketConnection/close(_:reason:)``
    /// cuts the connection for it.
    public static let abnormal = WebSocketCloseCode(1006)
    /// 1007: data that is not what its type says, text that is not UTF-8.
    public static let invalidPayload = WebSocketCloseCode(1007)
    /// 1008: a policy was violated.
    public static let policyViolation = WebSocketCloseCode(1008)
    /// 1009: a message was too big.
    public static let messageTooBig = WebSocketCloseCode(1009)
    /// 1010: the client misses an extension.
    public static let missingExtension = WebSocketCloseCode(1010)
    /// 1011: an end met an unexpected condition.
    public static let internalError = WebSocketCloseCode(1011)
    /// 1012: the service restarts.
    public static let serviceRestart = WebSocketCloseCode(1012)
    /// 1013: try again later.
    public static let tryAgainLater = WebSocketCloseCode(1013)
    /// 1014: a gateway got an invalid answer.
    public static let badGateway = WebSocketCloseCode(1014)
    /// 1015: the TLS handshake failed. Never on the wire: treated as ``abnormal`` where it is to be sent.
    public static let tlsFailure = WebSocketCloseCode(1015)

    /// Whether a close frame may carry the code (RFC 6455, 7.4.1 and 7.4.2).
    public var isAllowedOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    public var description: String { String(rawValue) }
}
