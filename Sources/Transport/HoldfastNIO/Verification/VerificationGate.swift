public import HoldfastTrust
package import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Judges the server of one handshake, and keeps the verdict.
///
/// NIOSSL reports a refusal as a bare handshake error, and a reset or an end of file may overtake even that. The
/// verdict is therefore kept here, and whoever sees a channel error asks here first. The gate is the only code that
/// sees NIOSSL's promise, and completes it exactly once, also when the evaluation does not end in time.
public final class VerificationGate: Sendable {
    private struct Storage {
        var machine = VerificationGateMachine()
        var presented: PresentedChain?
        var promise: EventLoopPromise<NIOSSLVerificationResult>?
        var evaluation: Task<Void, Never>?
        var observer: (@Sendable (TrustVerdict) -> Void)?
        var began: NIODeadline?
        var ended: NIODeadline?
    }

    private let trust: TrustContext
    private let subject: TrustSubject
    private let clock: TrustClock
    private let eventLoop: any EventLoop
    private let metrics: TLSMetrics?
    private let storage = Mutex(Storage())

    init(
        trust: TrustContext, subject: TrustSubject, clock: TrustClock, eventLoop: any EventLoop,
        metrics: TLSMetrics? = nil
    ) {
        self.trust = trust
        self.subject = subject
        self.clock = clock
        self.eventLoop = eventLoop
        self.metrics = metrics
    }

    /// The verdict, once there is one. Called from any thread.
    public var verdict: TrustVerdict? { storage.withLock { $0.machine.verdict } }

    /// What the server sent, once it was read. Called from any thread.
    public var presented: PresentedChain? { storage.withLock { $0.presented } }

    /// From the TLS library's question to the answer, by the event loop's time; `nil` before that, and where there was no
    /// question. What a handshake waited for: the look-up in the cache, the queue of the threads that verify, the judgement.
    package var interval: (began: NIODeadline, ended: NIODeadline)? {
        storage.withLock { storage in
            guard let began = storage.began, let ended = storage.ended else { return nil }
            return (began, ended)
        }
    }

    /// Where the verification stands. Asked for once for each decision: it changes on another thread.
    var state: VerificationGateMachine.State { storage.withLock { $0.machine.state } }

    /// Calls `observer` on the event loop when there is a verdict, before the TLS library gets its answer.
    func whenDecided(_ observer: @escaping @Sendable (TrustVerdict) -> Void) {
        storage.withLock { $0.observer = observer }
    }

    /// The TLS library's question. Called on the event loop.
    func verify(_ chain: [NIOSSLCertificate], _ promise: EventLoopPromise<NIOSSLVerificationResult>) {
        let now = eventLoop.now
        let action = storage.withLock { storage in
            let action = storage.machine.asked()
            if action == .judge {
                storage.promise = promise
                storage.began = now
            }
            return action
        }
        guard action == .judge else {
            promise.succeed(.failed)
            return
        }
        // A certificate that the library holds but cannot encode is as good as unreadable.
        let der = chain.map { (try? $0.toDERBytes()) ?? [] }
        // What was accepted a moment ago is answered here; signatures are checked away from the event loop.
        if let verdict = trust.cachedVerdict(on: der, for: subject, at: clock.now()) {
            storage.withLock { $0.presented = verdict.presented }
            judged(verdict)
            return
        }
        VerificationPool.threads.submit { _ in
            self.judge(PresentedChain(der: der))
        }
    }

    /// The time for the handshake is up.
    func deadlinePassed() {
        perform { $0.deadlinePassed(self.refusal(.evaluationTimedOut, "The evaluation did not end in time.")) }
    }

    /// The TLS library refused the server's certificate before it asked.
    func refusedByLibrary(_ reason: String) {
        perform {
            $0.refusedByLibrary(
                self.refusal(
                    .handshakeRefused, "The TLS library cannot use the server's certificate: \(reason)."))
        }
    }

    private func judge(_ presented: PresentedChain) {
        storage.withLock { $0.presented = presented }
        let start = ContinuousClock.now
        switch trust.judge(presented, for: subject, at: clock.now()) {
        case .now(var verdict):
            verdict.duration = start.duration(to: .now)
            judged(verdict)
        case .later(let evaluate):
            let task = Task {  // reason: no caller to be a child of; the TLS deadline bounds and cancels it
                var verdict = await evaluate()
                verdict.duration = start.duration(to: .now)
                self.judged(verdict)
            }
            let isPending = storage.withLock { storage in
                guard storage.machine.state == .judging else { return false }
                storage.evaluation = task
                return true
            }
            // The deadline may have passed between the two: then nobody waits for the answer.
            if !isPending { task.cancel() }
        }
    }

    private func judged(_ verdict: TrustVerdict) {
        perform { $0.judged(verdict) }
    }

    private func perform(_ event: (inout VerificationGateMachine) -> VerificationGateMachine.Action) {
        let (action, promise, evaluation, observer) = storage.withLock { storage in
            let action = event(&storage.machine)
            guard case .answer = action else {
                return (action, nil, nil, nil) as Outcome
            }
            defer {
                storage.promise = nil
                storage.evaluation = nil
                storage.observer = nil
            }
            return (action, storage.promise, storage.evaluation, storage.observer)
        }
        guard case .answer(let verdict) = action else { return }
        evaluation?.cancel()
        let answer: NIOSSLVerificationResult = verdict.permitsConnection ? .certificateVerified : .failed
        eventLoop.execute {
            self.answered(verdict)
            observer?(verdict)
            promise?.succeed(answer)
        }
    }

    private func answered(_ verdict: TrustVerdict) {
        let now = eventLoop.now
        let began = storage.withLock { storage in
            storage.ended = now
            return storage.began
        }
        metrics?.decided(verdict, after: began.map { now - $0 })
    }

    private typealias Outcome = (
        VerificationGateMachine.Action, EventLoopPromise<NIOSSLVerificationResult>?, Task<Void, Never>?,
        (@Sendable (TrustVerdict) -> Void)?
    )

    private func refusal(_ code: TrustFinding.Code, _ reason: String) -> TrustVerdict {
        var facts = TrustFacts()
        facts.host = subject.host.text
        return TrustVerdict(
            decision: .block, finding: TrustFinding(code, reason, facts: facts), subject: subject,
            policyName: trust.name, time: clock.now())
    }
}
