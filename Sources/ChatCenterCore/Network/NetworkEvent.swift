package import ChatWire

/// What happened on the network.
package enum NetworkEvent: Hashable, Sendable {
    case socketOpened(Generation)
    case received(Generation, ServerFrame)
    /// A frame that is not one of the protocol's.
    case unreadable(Generation, WireError)
    case transmitted(Generation, FrameID)
    case ponged(Generation)
    /// The socket is gone, or never came to be.
    case socketClosed(Generation, DisconnectCause)
    case answered(CallID, Result<RESTAnswer, TransportFailure>)
    /// Bytes so far, and of how many where that is known.
    case progress(TransferID, Int64, of: Int64?)
    case checkpoint(TransferID, ResumeToken)
    case transferred(TransferID, Result<RemoteFile, TransportFailure>)
    /// The device changed its network. `hasRoute` is a hint, never a reason not to try.
    case pathChanged(hasRoute: Bool)
}
