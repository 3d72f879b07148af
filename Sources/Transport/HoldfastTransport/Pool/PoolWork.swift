import NIOCore

/// What an event of ``PoolMachine`` has the driver do.
struct PoolWork: Hashable, Sendable {
    /// A request, and the connection that has to carry it.
    struct Place: Hashable, Sendable {
        var request: RequestID
        var connection: TransportConnectionID
    }

    /// A dial to start, and the request that it is for.
    struct Dial: Hashable, Sendable {
        var id: DialID
        var request: RequestID
    }

    /// Requests that have waited, and fail.
    var fail: [RequestID] = []
    /// Requests that have waited, and get a connection.
    var serve: [Place] = []
    /// A connection that waits for its first request.
    var park: TransportConnectionID?
    /// Connections to close.
    var close: [TransportConnectionID] = []
    /// Dials to start.
    var start: [Dial] = []
}

/// What comes of the timer of the requests that wait.
struct PoolTimeouts: Hashable, Sendable {
    /// Requests whose total time is up.
    var total: [RequestID] = []
    /// Requests that have waited for too long.
    var waiting: [RequestID] = []
    /// When the timer has to fire next; `nil`: it is armed already, or not needed.
    var timer: NIODeadline?
}
