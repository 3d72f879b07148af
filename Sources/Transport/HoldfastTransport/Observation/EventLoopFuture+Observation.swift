import NIOCore

extension EventLoopFuture {
    /// The same future, whose end is told to whoever watches the dial that this is a phase of.
    func observed(as phase: DialPhase, of dial: DialObservation?) -> EventLoopFuture<Value> {
        guard let dial else { return self }
        let loop = eventLoop
        let observation = dial.begin(phase, at: loop.now)
        whenComplete { observation.ended($0.failure, at: loop.now) }
        return self
    }
}

extension Result {
    /// The error, if it is one.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
