import ChatCenterCore
import ChatWire

/// What one socket is told to do, in order.
enum SocketOrder: Sendable {
    case send(FrameID, ClientFrame)
    case ping
    case close(CloseReason)
}
