package import ChatWire

/// Something that goes wrong once, to see what a client makes of it.
package enum ServerFault: Hashable, Sendable {
    /// The next frame with this action is lost.
    case lose(action: String)
    /// The next frame with this action is answered with this failure and has no other effect.
    case fail(action: String, WireFailure)
    /// The next frame with this action takes effect, but the connection ends before the reply.
    case cutBeforeReply(action: String)
    /// So many more frames are taken; the connection of the one after them ends.
    case cut(afterFrames: Int)
    /// The next push is sent twice.
    case repeatPush
    /// The next REST call fails.
    case failCall(status: Int, WireFailure)
}
