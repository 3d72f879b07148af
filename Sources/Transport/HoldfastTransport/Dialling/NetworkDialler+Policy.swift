import HoldfastNIO
import HoldfastTrust
package import NIOCore
import Synchronization

/// The effect of a policy change on open connections.
extension NetworkDialler {
    /// The key of a verification in progress of an open connection. All callers wait for the same verification.
    struct Rejudgement: Hashable, Sendable {
        var id: TransportConnectionID
        var revision: UInt64
    }

    package func hasJudged(_ id: TransportConnectionID) -> Bool {
        guard configuration.trust.policyChanges != nil else { return true }
        let revision = configuration.trust.revision
        return storage.withLock { $0.ledger.isJudged(id, by: revision) }
    }

    package func judgeAgain(_ id: TransportConnectionID, on loop: any EventLoop) -> EventLoopFuture<Void> {
        let revision = configuration.trust.revision
        guard let entry = storage.withLock({ $0.ledger.entry(id) }) else { return loop.makeSucceededVoidFuture() }
        return judgeAgain(entry, revision: revision).map { _ in }.hop(to: loop)
    }

    /// Adds an accepted connection to the ledger. If the policy changed during the dial, the connection is first
    /// verified again.
    func settle(
        _ dialled: Dialled, target: DialTarget, revision: UInt64, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled> {
        let entry = ConnectionLedger.Entry(
            id: dialled.id, subject: TrustSubject(host: target.host, port: target.port),
            presented: dialled.facts.presented, revision: revision)
        storage.withLock { storage in
            storage.ledger.opened(entry)
            storage.open[entry.id] = dialled.channel
        }
        // The revision is read after the entry was added, so that a later change finds the connection in the ledger.
        let current = configuration.trust.revision
        guard current != revision, dialled.facts.presented != nil else { return loop.makeSucceededFuture(dialled) }
        dialled.channel.closeFuture.whenComplete { _ in self.forget(entry.id) }
        return judgeAgain(entry, revision: current).flatMapThrowing { verdict in
            if let verdict { throw TransportError(refused: verdict) }
            return dialled
        }.hop(to: loop)
    }

    /// Verifies the open connections again after each policy change, for the lifetime of the dialler.
    func watchPolicy() -> Task<Void, Never>? {
        guard let changes = configuration.trust.policyChanges else { return nil }
        let stream = changes()
        return Task { [weak self] in  // reason: lives as long as the dialler, which cancels it
            for await _ in stream {
                guard let self else { return }
                let revision = self.configuration.trust.revision
                // All verifications start at once and are not awaited, so that a slow one does not delay the next
                // change.
                for entry in self.storage.withLock({ $0.ledger.judged(before: revision) }) {
                    _ = self.judgeAgain(entry, revision: revision)
                }
            }
        }
    }

    /// Removes a connection that is closed or was never returned. Returns whether it was known.
    @discardableResult
    func forget(_ id: TransportConnectionID) -> Bool {
        let (wasKnown, waiting) = storage.withLock { storage in
            storage.ledger.closed(id)
            let keys = storage.rejudging.keys.filter { $0.id == id }
            let waiting = keys.compactMap { storage.rejudging.removeValue(forKey: $0) }
            return (storage.open.removeValue(forKey: id) != nil, waiting)
        }
        for promise in waiting { promise.succeed(nil) }
        return wasKnown
    }

    /// Verifies a connection again, or joins a verification in progress.
    ///
    /// The future returns the verdict if it refuses the connection, and `nil` if the connection was accepted or is
    /// closed. It never fails. The TLS handshake timeout applies: a server without a verdict by then is refused.
    private func judgeAgain(
        _ entry: ConnectionLedger.Entry, revision: UInt64
    ) -> EventLoopFuture<TrustVerdict?> {
        let key = Rejudgement(id: entry.id, revision: revision)
        let (promise, presented, channel) = storage.withLock { storage in
            guard let presented = entry.presented, let channel = storage.open[entry.id] else {
                return (nil, nil, nil) as (EventLoopPromise<TrustVerdict?>?, PresentedChain?, (any Channel)?)
            }
            if let running = storage.rejudging[key] { return (running, nil, nil) }
            let promise = channel.eventLoop.makePromise(of: TrustVerdict?.self)
            storage.rejudging[key] = promise
            return (promise, presented, channel)
        }
        guard let promise else { return Self.eventLoops.any().makeSucceededFuture(nil) }
        guard let presented, let channel else { return promise.futureResult }
        let judgement = Task {  // reason: shared by all waiting callers; the timer below cancels it
            let verdict = await OffLoopJudge.verdict(
                of: configuration.trust, on: presented, for: entry.subject, at: configuration.clock.now())
            judged(entry, key, verdict, channel)
        }
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(clamping: configuration.tlsTimeout)) {
            let overdue = self.configuration.trust.refusal(
                .evaluationTimedOut, "The verification with the changed policy did not complete in time.",
                of: entry.subject,
                at: self.configuration.clock.now())
            self.judged(entry, key, overdue, channel)
        }
        promise.futureResult.whenComplete { _ in
            judgement.cancel()
            timer.cancel()
        }
        return promise.futureResult
    }

    /// Processes a verdict. Only the first one counts.
    private func judged(
        _ entry: ConnectionLedger.Entry, _ key: Rejudgement, _ verdict: TrustVerdict, _ channel: any Channel
    ) {
        let promise = storage.withLock { storage in
            let promise = storage.rejudging.removeValue(forKey: key)
            if promise != nil, verdict.permitsConnection { storage.ledger.judged(key.id, revision: key.revision) }
            return promise
        }
        guard let promise else { return }
        guard !verdict.permitsConnection else { return promise.succeed(nil) }
        // The entry stays in the ledger until the connection is closed, so that other callers wait for that too.
        channel.eventLoop.execute {
            if self.forget(entry.id) {
                self.log?.write(.cut, entry.id, host: entry.subject.host, port: nil, reason: "\(verdict)")
                self.instruments.metrics?.refused()
                // The connection is closed without a TLS close alert: nothing more is exchanged with a server that is
                // no longer trusted.
                channel.pipeline.fireErrorCaught(TransportError(refused: verdict))
                channel.cut()
            }
            promise.succeed(verdict)
        }
    }
}
