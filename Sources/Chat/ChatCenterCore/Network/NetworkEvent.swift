package import ChatWire

/// A network event.
package enum NetworkEvent: Hashable, Sendable {
    case socketOpened(Generation)
    case received(Generation, ServerFrame)
    /// A frame that the protocol does not define.
    case unreadable(Generation, WireError)
    case transmitted(Generation, FrameID)
    case ponged(Generation)
    /// The socket was closed, or it could not be opened.
    case socketClosed(Generation, DisconnectCause)
    case answered(CallID, Result<RESTAnswer, TransportFailure>)
    /// The number of bytes transferred, and the total if it is known.
    case progress(TransferID, Int64, of: Int64?)
    case checkpoint(TransferID, UploadCheckpoint)
    case transferred(TransferID, Result<RemoteFile, TransportFailure>)
    /// The network path that the platform's monitor reports, each time it may have changed. The first report sets the
    /// initial path. The core ignores a report that equals the previous one.
    case path(NetworkPath)
    /// The device's network may have changed, reported by a source that cannot identify the network. `hasRoute` is a
    /// hint: attempts are made even if it is false.
    case pathChanged(hasRoute: Bool)
}
