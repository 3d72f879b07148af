package import ChatWire

/// A fault that happens once, to test the client's reaction.
///
/// A fault names a frame by its action (`registerDevice`) or, for `sendMessage`, by its content type (`CLIENT_INFO`).
package enum ServerFault: Hashable, Sendable {
    /// Drops the next such frame.
    case lose(action: String)
    /// Answers the next such frame with this failure, without other effects.
    case fail(action: String, ErrorAnswer)
    /// Handles the next such frame, but closes the connection before the reply.
    case cutBeforeReply(action: String)
    /// Handles the next such frame, but never replies.
    case withhold(action: String)
    /// Handles the next such frame at once, but delays its reply by this number of nanoseconds. Later frames are sent
    /// before it.
    case delayReply(action: String, nanoseconds: Int64)
    /// Sends the reply to the next such frame twice.
    case repeatReply(action: String)
    /// Handles this number of frames, and closes the connection at the following one.
    case cut(afterFrames: Int)
    /// Sends the next push twice.
    case repeatPush
    /// Drops the next push. Its content is in the history, and is sent again after the next handshake.
    case losePush
    /// Delays the next push until the following one was sent, at most ``ServerNetwork/longestSwap``.
    case swapPushes
    /// Does not answer the next upgrade.
    case ignoreUpgrade
    /// Refuses the next upgrade.
    case refuseUpgrade(UpgradeRefusal)
    /// Fails the next REST call.
    case failCall(status: Int, ErrorAnswer)
    /// Fails the next call with this name, or any call, with a `Retry-After` time in seconds.
    case refuseCall(CallName?, status: Int, ErrorAnswer, retryAfter: Int64?)
    /// Delays the answer to the next call with this name, or any call, by this number of nanoseconds.
    case delayCall(CallName?, nanoseconds: Int64)

    /// Returns whether the fault applies to a frame.
    func concerns(_ frame: ClientFrame) -> Bool {
        switch self {
        case .lose(let name), .fail(let name, _), .cutBeforeReply(let name), .withhold(let name),
            .delayReply(let name, _), .repeatReply(let name):
            frame.isCalled(name)
        default: false
        }
    }
}

extension ClientFrame {
    /// Returns whether this is the frame's action, or its content type.
    func isCalled(_ name: String) -> Bool { name == action || name == contentType }

    /// The content type of a `sendMessage`.
    var contentType: String? {
        if case .sendMessage(let content, _) = body { content.wireType } else { nil }
    }
}

/// How an upgrade to WebSocket is refused.
package struct UpgradeRefusal: Hashable, Sendable {
    /// The HTTP status.
    package var status: Int
    package var failure: ErrorAnswer
    /// The number of seconds in a `Retry-After` field.
    package var retryAfter: Int64?

    package init(status: Int, _ failure: ErrorAnswer, retryAfter: Int64? = nil) {
        self.status = status
        self.failure = failure
        self.retryAfter = retryAfter
    }
}
