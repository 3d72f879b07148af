import NIOCore

extension EventLoopFuture {
    /// Returns the same future and reports its completion as a phase of the observed dial.
    func observed(as phase: DialPhase, of dial: DialObservation?) -> EventLoopFuture<Value> {
        guard let dial else { return self }
        let loop = eventLoop
        let observation = dial.begin(phase, at: loop.now)
        whenComplete { observation.ended($0.failure, at: loop.now) }
        return self
    }
}

extension Result {
    /// The error of a failed result; `nil` otherwise.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
