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
    case checkpoint(TransferID, UploadCheckpoint)
    case transferred(TransferID, Result<RemoteFile, TransportFailure>)
    /// What a monitor of the platform sees now, each time it may have changed; the first one tells where the device
    /// is. The core compares: what is the same costs nothing.
    case path(NetworkPath)
    /// The device may have changed its network, from a source that cannot name it. `hasRoute` is a hint, never a reason
    /// not to try.
    case pathChanged(hasRoute: Bool)
}
