import NIOCore

extension HTTP1Handler: NIOScheduledCallbackHandler {
    /// Sees to it that the next deadline will be noticed.
    func armTimer() {
        guard let context else { return }
        timer.arm(self, on: context, firing: false)
    }

    func handleScheduledCallback(eventLoop: some EventLoop) {
        switch timer.due(at: eventLoop.now) {
        case .total:
            fail(.totalTimeIsUp)
        case .idle:
            let phase = machine.phase
            fail(TransportError(.timedOut, in: phase, "Nothing has moved for the idle time-out (\(phase))."))
        case .keepAlive:
            if let connection, pool.expire(connection) {
                close()
                return
            }
            // Lent in this very moment: the exchange is on its way and sets its own deadlines.
            timer.lent()
        case nil:
            break
        }
        guard let context, !machine.isClosed else { return }
        timer.arm(self, on: context, firing: true)
    }
}
