import ChatCenterCore
import ChatServerCore
import ChatWire

/// Something that is going to happen in a world. What concerns a process carries the number of its life, so that a
/// process that was started again does not hear of it.
indirect enum Occurrence {
    case planned(PlannedItem)

    // Clients.
    /// The timer of a client, if it is still set to this time.
    case clientWake(client: Int, life: Int, due: Int64)
    case clientDies(client: Int, life: Int)
    case clientStarts(client: Int)
    case foreground(client: Int, life: Int)
    case authorize(client: Int, life: Int, user: Int)
    case tokenComes(client: Int, life: Int, TokenAttempt, answers: Bool)
    /// The app gets a new token by itself and authorises with it.
    case reauthorize(client: Int, life: Int)
    /// Any event for the client of this life.
    case clientEvent(client: Int, life: Int, ChatEvent)
    case networkReturns(client: Int)
    case pinsArrive

    // Sockets.
    case dialled(link: Int)
    case up(link: Int, ClientFrame)
    case down(link: Int, ServerFrame)
    case pinged(link: Int)
    case clientSeesEnd(link: Int, DisconnectCause)
    case serverSeesEnd(link: Int)

    // Calls.
    case called(client: Int, life: Int, ClientCallID, RESTCall)
    case callTimesOut(client: Int, life: Int, ClientCallID)
    case uploadEnds(client: Int, life: Int, TransferID, UploadPlan)

    // The server.
    case serverWake(life: Int, due: Int64)
    case serverDies(life: Int)
    case serverStarts
}
