public import ChatCenterCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Time-outs of the chat's socket, in seconds.
///
/// A number that is no usable time-out (not a number, zero, negative, endless) is clamped to between one millisecond and
/// 365 days, and the SDK logs that it was.
public struct WSConfig: Hashable, Sendable {
    /// How long the upgrade to a WebSocket, and each answer of the handshake after it, may take. 30 by default.
    public var connectionTimeout: TimeInterval
    /// How long a message that was handed to the socket may stay unanswered before it counts as failed. 20 by default.
    ///
    /// An error answer fails a message at once. Messages that wait for a connection do not age by it.
    public var sendTimeout: TimeInterval
    /// How ``sendTimeout`` is judged.
    public var sendTimeoutMode: SendTimeoutMode

    /// Sets time-outs, in seconds.
    public init(
        connectionTimeout: TimeInterval = 30, sendTimeout: TimeInterval = 20,
        sendTimeoutMode: SendTimeoutMode = .deadline
    ) {
        self.connectionTimeout = connectionTimeout
        self.sendTimeout = sendTimeout
        self.sendTimeoutMode = sendTimeoutMode
    }
}
