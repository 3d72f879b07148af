package import ChatWire

/// What the core wants done on the network. Each command returns at once; what comes of it is a `NetworkEvent`.
package enum NetworkCommand: Hashable, Sendable {
    /// Dial, TLS, upgrade. Answer with `.socketOpened` or `.socketClosed`.
    case openSocket(Generation, SocketRequest)
    /// Write the frame after those before it. Answer with `.transmitted` when it was handed to the system.
    case transmit(Generation, FrameID, ClientFrame)
    /// Send a WebSocket ping. Answer with `.ponged`.
    case ping(Generation)
    /// Write what is queued, send a close frame and let go. No answer is needed: the core forgets the generation.
    case closeSocket(Generation, CloseReason)
    /// Answer with `.answered`.
    case call(CallID, RESTCall)
    /// Answer with `.progress`, `.checkpoint` and in the end `.transferred`.
    case upload(TransferID, UploadPlan)
    /// Answer with `.progress` and in the end `.transferred`.
    case download(TransferID, DownloadPlan)
    /// Stop it. No answer is needed.
    case cancel(NetworkHandle)
}
