package import ChatWire

/// A network operation that the core requests. Each command returns at once; its result is a `NetworkEvent`.
package enum NetworkCommand: Hashable, Sendable {
    /// Opens a socket: dial, TLS handshake and upgrade. The result is `.socketOpened` or `.socketClosed`.
    case openSocket(Generation, SocketRequest)
    /// Writes the frame after the previous ones. The result is `.transmitted` when the system accepted the frame.
    case transmit(Generation, FrameID, ClientFrame)
    /// Sends a WebSocket ping. The result is `.ponged`.
    case ping(Generation)
    /// Writes the queued frames, sends a close frame and closes the socket. No result is needed, because the core
    /// ignores later events of this generation.
    case closeSocket(Generation, CloseReason)
    /// Makes a REST call. The result is `.answered`.
    case call(CallID, RESTCall)
    /// Uploads a file. Results are `.progress`, `.checkpoint` and finally `.transferred`.
    case upload(TransferID, UploadPlan)
    /// Downloads a file. Results are `.progress` and finally `.transferred`.
    case download(TransferID, DownloadPlan)
    /// Cancels a call or a transfer. No result is needed.
    case cancel(NetworkHandle)
}
