import ChatCenterCore
import ChatServerCore

/// One socket with its two ends, each with its own belief about it.
struct Link {
    /// What one end believes.
    enum End {
        case none
        case open
        case closed
    }

    let client: Int
    let life: Int
    let generation: Generation
    let request: SocketRequest
    /// Its number on the server's side.
    let connection: ConnectionID
    var clientEnd = End.open
    var serverEnd = End.none
    /// The dial was answered.
    var isUp = false
    /// Frames of this direction never arrive any more.
    var losesUp = false
    var losesDown = false
    /// Nothing arrives earlier than what was sent before.
    var lastUp: Int64 = 0
    var lastDown: Int64 = 0
    /// The numbers of pings that the client sent and of pongs that it received.
    var pings = 0
    var pongs = 0
    /// Read marks that the server refused on it.
    var refusedMarks = 0
    /// Who registered on it.
    var user: String?
}
