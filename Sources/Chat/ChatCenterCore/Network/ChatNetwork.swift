package import ChatWire

/// The network interface that the core's driver uses.
package protocol ChatNetwork: Sendable {
    /// Starts the command and returns at once. Events go to the sink that was passed at initialization.
    func perform(_ command: NetworkCommand)
}

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

/// A REST request with the credentials and addresses of the user that it is made for.
package struct RESTCall: Hashable, Sendable {
    package var request: RESTRequest
    package var credentials: WireCredentials
    package var clientID: String
    package var deviceAddress: String?

    package init(_ request: RESTRequest, credentials: WireCredentials, clientID: String, deviceAddress: String?) {
        self.request = request
        self.credentials = credentials
        self.clientID = clientID
        self.deviceAddress = deviceAddress
    }
}

/// The parameters for opening a socket, except the address, which the driver knows.
package struct SocketRequest: Hashable, Sendable {
    package var credentials: WireCredentials
    /// The time limit for dialing, TLS and the upgrade together. The core enforces it; the driver may pass the same
    /// limit to its transport.
    package var timeoutMilliseconds: Int64

    package init(credentials: WireCredentials, timeoutMilliseconds: Int64) {
        self.credentials = credentials
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}

/// An operation in progress that can be cancelled.
package enum NetworkHandle: Hashable, Sendable {
    case call(CallID)
    case transfer(TransferID)
}
