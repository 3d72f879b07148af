import HTTPTypes
import HoldfastNIO
import NIOCore
import Tracing
import Synchronization

/// One request and its response: what the caller's task and the connection's event loop share.
///
/// The state is under a lock that is held for bookkeeping only; continuations are resumed after it is released.
final class Exchange: Sendable {
    /// What was collected, or the head alone where the body is streamed.
    struct Answer: Sendable {
        var response: HTTPResponse
        var facts: ConnectionFacts
        var body: [UInt8] = []
        var trailers: HTTPFields?
    }

    struct Storage {
        var machine: ExchangeMachine
        var upload: UploadSlot
        var error: (any Error)?
        var answer: Answer?
        var parts: [[UInt8]] = []
        /// The connection that carries the exchange, once there is one.
        var connection: LoopHandle<any ExchangeCarrier>?
        /// The pool in which it waits or has waited.
        var pool: OriginPool?
        /// How many connections have turned out to be closed.
        var attempts = 0
        /// How many connections have served others, and ended before they looked at this one.
        var turns = 0

        var headWaiter: CheckedContinuation<Answer, any Error>?
        var partWaiter: CheckedContinuation<[UInt8]?, any Error>?
        var uploadWaiter: CheckedContinuation<Void, any Error>?
    }

    let id: RequestID
    let request: PreparedRequest
    let options: RequestOptions
    /// When the total time is up.
    let deadline: NIODeadline?
    /// The span of the request, where there is one: a dial for it is its child.
    let context: ServiceContext?
    let storage: Mutex<Storage>

    init(
        request: PreparedRequest, options: RequestOptions, sink: ExchangeMachine.Sink, deadline: NIODeadline?,
        context: ServiceContext? = nil
    ) {
        self.id = RequestID.next()
        self.request = request
        self.options = options
        self.deadline = deadline
        self.context = context
        let length: Int64? = if case .stream(let length) = request.body { length } else { nil }
        self.storage = Mutex(Storage(machine: ExchangeMachine(sink: sink), upload: UploadSlot(length: length)))
    }
}
