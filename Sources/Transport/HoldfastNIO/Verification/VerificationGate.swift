public import HoldfastTrust
package import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Judges the server of one handshake, and keeps the verdict.
///
/// NIOSSL reports a refusal as a bare handshake error, and a reset or an end of file may overtake even that. The
/// verdict is therefore kept here, and every signal of the handshake goes through the ``HandshakeMachine`` in here. The gate is
/// the only code that sees NIOSSL's promise, and completes it exactly once, also when the evaluation does not end in time.
public final class VerificationGate: Sendable {
    private struct Storage {
        var machine = HandshakeMachine()
        var presented: PresentedChain?
        var promise: EventLoopPromise<NIOSSLVerificationResult>?
        var evaluation: Task<Void, Never>?
        var observer: (@Sendable () -> Void)?
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

    /// Whether a judgement is under way. Called from any thread, like the two that follow.
    var isJudging: Bool { storage.withLock { $0.machine.isJudging } }

    /// Whether the handshake is complete, and the server is accepted.
    var isAccepted: Bool { storage.withLock { $0.machine.isAccepted } }

    /// Whether the outcome of the handshake is known.
    var isOver: Bool { storage.withLock { $0.machine.isOver } }

    /// Calls `observer` on the event loop when there is a verdict, before the TLS library gets its answer.
    func whenDecided(_ observer: @escaping @Sendable () -> Void) {
        storage.withLock { $0.observer = observer }
    }

    /// The TLS library's question. Called on the event loop.
    func verify(_ chain: [NIOSSLCertificate], _ promise: EventLoopPromise<NIOSSLVerificationResult>) {
        let now = eventLoop.now
        let isDue = storage.withLock { storage in
            guard case .judge = storage.machine.asked() else { return false }
            storage.promise = promise
            storage.began = now
            return true
        }
        guard isDue else {
            promise.succeed(.failed)
            return
        }
        // A certificate that the library holds but cannot encode is as good as unreadable.
        let der = chain.map { (try? $0.toDERBytes()) ?? [] }
        // What was accepted a moment ago is answered here; signatures are checked away from the event loop.
        if let verdict = trust.cachedVerdict(on: der, for: subject, at: clock.now()),
            let presented = verdict.presented
        {
            storage.withLock { $0.presented = presented }
            return judged(verdict, on: presented)
        }
        VerificationPool.threads.submit { _ in
            self.judge(PresentedChain(der: der))
        }
    }

    /// The handshake has heard of the verdict. Called on the event loop, like the three that follow, which return what is left to
    /// do.
    func told() -> HandshakeMachine.Action {
        perform { $0.told() }
    }

    /// The TLS library says that the handshake is complete.
    func completed() -> HandshakeMachine.Action {
        perform { $0.completed() }
    }

    /// The channel reports an error, or that it is closed.
    func channelFailed(_ problem: HandshakeProblem) -> HandshakeMachine.Action {
        perform { machine in
            machine.channelFailed(problem) { reason in
                refusal(.handshakeRefused, "The TLS library cannot use the server's certificate: \(reason).")
            }
        }
    }

    /// The time for the handshake is up.
    func deadlinePassed() -> HandshakeMachine.Action {
        perform { machine in
            machine.deadlinePassed { refusal(.evaluationTimedOut, "The evaluation did not end in time.") }
        }
    }

    private func judge(_ presented: PresentedChain) {
        storage.withLock { $0.presented = presented }
        let start = ContinuousClock.now
        switch trust.judge(presented, for: subject, at: clock.now()) {
        case .now(var verdict):
            verdict.duration = start.duration(to: .now)
            judged(verdict, on: presented)
        case .later(let evaluate):
            let task = Task {  // reason: no caller to be a child of; the TLS deadline bounds and cancels it
                var verdict = await evaluate()
                verdict.duration = start.duration(to: .now)
                self.judged(verdict, on: presented)
            }
            let isPending = storage.withLock { storage in
                guard storage.machine.isJudging else { return false }
                storage.evaluation = task
                return true
            }
            // The deadline may have passed between the two: then nobody waits for the answer.
            if !isPending { task.cancel() }
        }
    }

    private func judged(_ verdict: TrustVerdict, on presented: PresentedChain) {
        _ = perform { $0.judged(verdict, on: presented) }
    }

    /// Hands an event to the machine. An answer to the TLS library is carried out here, any other action by the caller.
    private func perform(
        _ event: (inout HandshakeMachine) -> HandshakeMachine.Action
    ) -> HandshakeMachine.Action {
        let (action, promise, evaluation, observer) = storage.withLock { storage in
            let action = event(&storage.machine)
            guard case .answer = action else {
                // The observer keeps the handshake, which keeps the gate.
                if storage.machine.isOver { storage.observer = nil }
                return (action, nil, nil, nil) as Outcome
            }
            return (action, storage.promise.take(), storage.evaluation.take(), storage.observer.take())
        }
        guard case .answer(let verdict) = action else { return action }
        evaluation?.cancel()
        let answer: NIOSSLVerificationResult = verdict.permitsConnection ? .certificateVerified : .failed
        eventLoop.execute {
            self.answered(verdict)
            observer?()
            promise?.succeed(answer)
        }
        return action
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
        HandshakeMachine.Action, EventLoopPromise<NIOSSLVerificationResult>?, Task<Void, Never>?,
        (@Sendable () -> Void)?
    )

    private func refusal(_ code: TrustFinding.Code, _ reason: String) -> TrustVerdict {
        trust.refusal(code, reason, of: subject, at: clock.now())
    }
}

extension TrustContext {
    /// Returns the refusal of a server by something other than an evaluation, such as a deadline.
    package func refusal(
        _ code: TrustFinding.Code, _ reason: String, of subject: TrustSubject, at time: Timestamp
    ) -> TrustVerdict {
        var facts = TrustFacts()
        facts.host = subject.host.text
        return TrustVerdict(
            decision: .block, finding: TrustFinding(code, reason, facts: facts), subject: subject, policyName: name,
            time: time)
    }
}
