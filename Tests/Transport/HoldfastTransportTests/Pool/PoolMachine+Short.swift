import NIOCore

@testable import HoldfastTransport

/// Short forms for tests that are not about time.
extension PoolMachine {
    /// Submits a request. The result omits the timer.
    mutating func acquire(_ request: RequestID, fresh: Bool = false) -> Acquired {
        let acquired = acquire(request, Patience(idle: .hours(1)), fresh: fresh, at: .uptimeNanoseconds(0))
        guard case .wait(let dial, let closing, _) = acquired else { return acquired }
        return .wait(dial: dial, closing: closing)
    }
}

extension PoolWork {
    /// Requests get places on a connection.
    static func serving(_ requests: RequestID..., on connection: TransportConnectionID, start: [Dial] = []) -> PoolWork
    {
        PoolWork(serve: requests.map { Place(request: $0, connection: connection) }, start: start)
    }

    /// The dials to start.
    var dials: [DialID] { start.map(\.id) }

    /// The requests that get a connection.
    var served: [RequestID] { serve.map(\.request) }
}

extension PoolMachine.DialEnd {
    /// The work after the end of a dial.
    var work: PoolWork? { if case .over(let work) = self { work } else { nil } }
}
