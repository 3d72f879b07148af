import NIOCore

/// The actions that an event of ``PoolMachine`` requires.
struct PoolWork: Hashable, Sendable {
    /// A request and the connection that carries it.
    struct Place: Hashable, Sendable {
        var request: RequestID
        var connection: TransportConnectionID
    }

    /// A dial to start and its request.
    struct Dial: Hashable, Sendable {
        var id: DialID
        var request: RequestID
    }

    /// Waiting requests that fail.
    var fail: [RequestID] = []
    /// Waiting requests that receive a connection.
    var serve: [Place] = []
    /// A connection that waits for its first request.
    var park: TransportConnectionID?
    /// Connections to close.
    var close: [TransportConnectionID] = []
    /// Dials to start.
    var start: [Dial] = []
}

/// The result of the queue's timer.
struct PoolTimeouts: Hashable, Sendable {
    /// Requests whose total timeout expired.
    var total: [RequestID] = []
    /// Requests that waited too long.
    var waiting: [RequestID] = []
    /// The time for the next timer; `nil` if it is already set or not needed.
    var timer: NIODeadline?
}
