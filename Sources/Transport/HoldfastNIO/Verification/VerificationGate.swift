public import HoldfastTrust
package import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Evaluates the server of one handshake and keeps the verdict.
///
/// NIOSSL reports a refusal only as a generic handshake error, and a reset or an end of file may arrive first. The gate
/// therefore keeps the verdict and passes every event of the handshake to its state machine. Only the gate holds
/// NIOSSL's promise. It completes the promise exactly once, even if the evaluation exceeds its deadline.
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

    /// The verdict, once there is one. Readable from any thread.
    public var verdict: TrustVerdict? { storage.withLock { $0.machine.verdict } }

    /// The chain that the server sent, once it has been parsed. Readable from any thread.
    public var presented: PresentedChain? { storage.withLock { $0.presented } }

    /// The times of the TLS library's verification request and of the answer, by the event loop's clock.
    ///
    /// The interval includes the cache lookup, the wait for a verification thread and the evaluation. It is `nil`
    /// before the answer and without a request.
    package var interval: (began: NIODeadline, ended: NIODeadline)? {
        storage.withLock { storage in
            guard let began = storage.began, let ended = storage.ended else { return nil }
            return (began, ended)
        }
    }

    /// Whether an evaluation is running. Readable from any thread, as are the next two properties.
    var isJudging: Bool { storage.withLock { $0.machine.isJudging } }

    /// Whether the handshake is complete, and the server is accepted.
    var isAccepted: Bool { storage.withLock { $0.machine.isAccepted } }

    /// Whether the outcome of the handshake is known.
    var isOver: Bool { storage.withLock { $0.machine.isOver } }

    /// Calls `observer` on the event loop when there is a verdict, before the TLS library gets its answer.
    func whenDecided(_ observer: @escaping @Sendable () -> Void) {
        storage.withLock { $0.observer = observer }
    }

    /// Handles the TLS library's verification request. Called on the event loop.
    func verify(_ chain: [NIOSSLCertificate], _ promise: EventLoopPromise<NIOSSLVerificationResult>) {
        let now = eventLoop.now
        let isDue = storage.withLock { storage in
            guard case .judge = storage.machine.asked() else { return false }
            storage.promise = promise
            storage.began = now
            return true
        }
        guard isDue else { return promise.succeed(.failed) }
        // A certificate that the library holds but cannot encode counts as unreadable.
        let der = chain.map { (try? $0.toDERBytes()) ?? [] }
        let time = clock.now()
        // A recently accepted chain is answered from the cache.
        if let verdict = trust.cachedVerdict(on: der, for: subject, at: time), let presented = verdict.presented {
            storage.withLock { $0.presented = presented }
            return judged(verdict, on: presented)
        }
        // A small chain is verified here, within a small budget. Everything else is verified on other threads.
        guard trust.isPrompt(for: der, at: time) else {
            return VerificationPool.threads.submit { _ in self.judge(PresentedChain(der: der)) }
        }
        let start = ContinuousClock.now
        let presented = PresentedChain(der: der)
        storage.withLock { $0.presented = presented }
        guard var verdict = trust.promptVerdict(on: presented, for: subject, at: time) else {
            return VerificationPool.threads.submit { _ in self.judge(presented) }
        }
        verdict.duration = start.duration(to: .now)
        judged(verdict, on: presented)
    }

    /// Handles the verdict on the event loop and returns the action that the caller must perform. The next three
    /// methods work in the same way.
    func told() -> HandshakeMachine.Action {
        perform { $0.told() }
    }

    /// Handles the TLS library's report that the handshake is complete.
    func completed() -> HandshakeMachine.Action {
        perform { $0.completed() }
    }

    /// Handles an error or the end of the channel.
    func channelFailed(_ problem: TLSErrorClassification) -> HandshakeMachine.Action {
        perform { machine in
            machine.channelFailed(problem) { reason in
                refusal(.handshakeRefused, "The TLS library rejected the server's certificate: \(reason).")
            }
        }
    }

    /// Handles the end of the TLS deadline.
    func deadlinePassed() -> HandshakeMachine.Action {
        perform { machine in
            machine.deadlinePassed {
                refusal(.evaluationTimedOut, "The evaluation did not complete before the TLS deadline.")
            }
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
            let task = Task {  // reason: there is no parent task; the TLS deadline bounds and cancels it
                var verdict = await evaluate()
                verdict.duration = start.duration(to: .now)
                self.judged(verdict, on: presented)
            }
            let isPending = storage.withLock { storage in
                guard storage.machine.isJudging else { return false }
                storage.evaluation = task
                return true
            }
            // The deadline may have passed in between. In that case the answer is no longer needed.
            if !isPending { task.cancel() }
        }
    }

    private func judged(_ verdict: TrustVerdict, on presented: PresentedChain) {
        _ = perform { $0.judged(verdict, on: presented) }
    }

    /// Passes an event to the machine. Performs an `answer` action itself; the caller performs any other.
    private func perform(
        _ event: (inout HandshakeMachine) -> HandshakeMachine.Action
    ) -> HandshakeMachine.Action {
        let (action, promise, evaluation, observer) = storage.withLock { storage in
            let action = event(&storage.machine)
            guard case .answer = action else {
                // Breaks the reference cycle: the observer retains the handshake, which retains the gate.
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
    /// Returns a verdict that refuses a server for a cause other than an evaluation, such as a deadline.
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

/// Two process-wide threads that verify certificates. A large chain takes too long for an event loop, and it must not
/// wait behind file reads in NIO's shared pool.
enum VerificationPool {
    static let threads = NIOThreadPool._makePerpetualStartedPool(
        numberOfThreads: 2, threadNamePrefix: "holdfast-trust-")
}

/// Evaluates the certificates of existing connections on the verification threads.
package enum OffLoopJudge {
    /// Returns the verdict of the current policy on a chain.
    package static func verdict(
        of trust: TrustContext, on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp
    ) async -> TrustVerdict {
        // The threads run as long as the process. If they are unavailable, the evaluation runs on this thread.
        let judgement = try? await VerificationPool.threads.runIfActive { trust.judge(chain, for: subject, at: time) }
        return await (judgement ?? trust.judge(chain, for: subject, at: time)).verdict()
    }
}
