import ChatCenterCore
import ChatServerCore

/// All sockets of a run. The index of a link is its connection number on the server.
struct LinkTable {
    private var links: [Link] = []

    var indices: Range<Int> { links.indices }

    subscript(number: Int) -> Link {
        get { links[number] }
        set { links[number] = newValue }
    }

    /// Adds a socket that a client opens. Returns its number.
    mutating func add(_ generation: Generation, _ request: SocketRequest, of client: ClientNode) -> Int {
        let number = links.count
        links.append(
            Link(
                client: client.index, life: client.life, generation: generation, request: request,
                connection: ConnectionID(UInt64(number))))
        return number
    }

    /// Returns the number of a connection, or `nil` for an unknown connection.
    func number(of connection: ConnectionID) -> Int? {
        let number = Int(connection.number)
        return links.indices.contains(number) ? number : nil
    }

    /// Closes the client's end. Returns `false` if it is not open.
    mutating func closeClientEnd(_ number: Int) -> Bool {
        guard links[number].clientEnd == .open else { return false }
        links[number].clientEnd = .closed
        return true
    }

    /// Closes the server's end. Returns `false` if it is not open.
    mutating func closeServerEnd(_ number: Int) -> Bool {
        guard links[number].serverEnd == .open else { return false }
        links[number].serverEnd = .closed
        return true
    }

    /// Lets later frames arrive at the client after this time. Returns the arrival time.
    mutating func queueDown(_ number: Int, at time: Int64) -> Int64 {
        links[number].lastDown = max(links[number].lastDown, time)
        return links[number].lastDown
    }

    /// Lets later frames arrive at the server after this time. Returns the arrival time.
    mutating func queueUp(_ number: Int, at time: Int64) -> Int64 {
        links[number].lastUp = max(links[number].lastUp, time)
        return links[number].lastUp
    }

    /// Closes the client's ends of a process that ends. Its frames arrive or are lost, and it receives nothing. Returns
    /// the numbers of these links.
    mutating func processDied(_ client: ClientNode, _ streams: RandomStreams) -> [Int] {
        links.indices.filter { number in
            guard links[number].client == client.index, links[number].life == client.life, closeClientEnd(number)
            else { return false }
            links[number].losesDown = true
            if streams.number(.latency, client.index, UInt64(number)) % 2 == 0 { links[number].losesUp = true }
            return true
        }
    }
}

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
