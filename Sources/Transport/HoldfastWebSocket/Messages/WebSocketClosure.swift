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
