package import ChatWire

/// Something that goes wrong once, to see what a client makes of it.
///
/// Where a fault names a frame, the name is an action (`registerDevice`) or, for `sendMessage`, the type of its content
/// (`CLIENT_INFO`).
package enum ServerFault: Hashable, Sendable {
    /// The next such frame is lost.
    case lose(action: String)
    /// The next such frame is answered with this failure and has no other effect.
    case fail(action: String, ErrorAnswer)
    /// The next such frame takes effect, but the connection ends before the reply.
    case cutBeforeReply(action: String)
    /// The next such frame takes effect, and is never replied to.
    case withhold(action: String)
    /// The next such frame takes effect at once; its reply comes so many nanoseconds later, behind what was sent meanwhile.
    case delayReply(action: String, nanoseconds: Int64)
    /// The reply to the next such frame is sent twice.
    case repeatReply(action: String)
    /// So many more frames are taken; the connection of the one after them ends.
    case cut(afterFrames: Int)
    /// The next push is sent twice.
    case repeatPush
    /// The next push is lost. What it told is in the history, and comes again after the next handshake.
    case losePush
    /// The next push waits until the one behind it has been sent, at most ``ServerNetwork/longestSwap``.
    case swapPushes
    /// The next upgrade is not answered.
    case ignoreUpgrade
    /// The next upgrade is refused.
    case refuseUpgrade(UpgradeRefusal)
    /// The next REST call fails.
    case failCall(status: Int, ErrorAnswer)
    /// The next call of this name, or of any, fails, and the answer says after how many seconds to come again.
    case refuseCall(CallName?, status: Int, ErrorAnswer, retryAfter: Int64?)
    /// The next call of this name, or of any, is answered so many nanoseconds late.
    case delayCall(CallName?, nanoseconds: Int64)

    /// Whether a frame meets this fault.
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
    /// Whether this is the frame's action, or the type of what it sends.
    func isCalled(_ name: String) -> Bool { name == action || name == contentType }

    /// The type of what a `sendMessage` holds.
    var contentType: String? {
        if case .sendMessage(let content, _) = body { content.wireType } else { nil }
    }
}
