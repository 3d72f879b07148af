import ChatCenterCore
import ChatServerCore

/// A socket with two ends. Each end has its own state.
struct Link {
    /// The state of one end.
    enum End {
        case none
        case open
        case closed
    }

    let client: Int
    let life: Int
    let generation: Generation
    let request: SocketRequest
    /// The identifier of the connection on the server.
    let connection: ConnectionID
    var clientEnd = End.open
    var serverEnd = End.none
    /// Whether the dial succeeded.
    var isUp = false
    /// Whether all further frames of this direction are lost.
    var losesUp = false
    var losesDown = false
    /// The arrival times of the newest frames. Later frames arrive after these.
    var lastUp: Int64 = 0
    var lastDown: Int64 = 0
    /// The numbers of pings that the client sent and of pongs that it received.
    var pings = 0
    var pongs = 0
    /// The number of read marks that the server refused on this socket.
    var refusedMarks = 0
    /// The user who registered on this socket.
    var user: String?
}
