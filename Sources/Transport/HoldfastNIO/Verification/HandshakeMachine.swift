import HoldfastTrust

/// What becomes of a handshake, as a value: which of the many signals that may come, in any order, decides.
///
/// The rule: a verdict that refuses beats every channel error, earlier or later; while a judgement is under way, an
/// error waits for it.
struct HandshakeMachine: Sendable {
    private enum State {
        /// Next: every other state.
        case handshaking
        /// The channel has failed while the judgement is under way. Next: over.
        case failedWhileJudging(HandshakeFailure)
        /// The outcome has been told; nothing more is.
        case over
    }

    /// What the driver has to do.
    enum Action: Hashable, Sendable {
        /// The server is accepted.
        case succeed
        /// The server is refused.
        case refuse(TrustVerdict)
        /// The handshake has failed.
        case fail(HandshakeFailure)
        /// The library refused the certificate: the gate must make a verdict of it.
        case askGateToRefuse(String)
        /// Nothing.
        case nothing
    }

    private var state = State.handshaking

    /// Whether the outcome is known.
    var isOver: Bool {
        if case .over = state { true } else { false }
    }

    /// The TLS library says that the handshake is complete. `verdict` is the gate's.
    mutating func completed(verdict: TrustVerdict?) -> Action {
        guard !isOver else { return .nothing }
        state = .over
        guard let verdict else {
            return .fail(HandshakeFailure(.unverified, "The handshake ended without a verification."))
        }
        return verdict.permitsConnection ? .succeed : .refuse(verdict)
    }

    /// The channel reports an error, or that it is closed, while the gate is in this state.
    mutating func channelFailed(_ problem: HandshakeProblem, gate: VerificationGateMachine.State) -> Action {
        guard case .handshaking = state else { return .nothing }
        if case .decided(let verdict) = gate, !verdict.permitsConnection {
            state = .over
            return .refuse(verdict)
        }
        switch problem {
        case .certificate(let reason) where gate == .waiting:
            return .askGateToRefuse(reason)
        case .certificate(let reason):
            return fail(HandshakeFailure(.invalidMessage, "The handshake failed: \(reason)."), gate: gate)
        case .failure(let failure):
            return fail(failure, gate: gate)
        }
    }

    /// The gate has a verdict.
    mutating func decided(_ verdict: TrustVerdict) -> Action {
        switch state {
        case .over:
            return .nothing
        case .handshaking:
            guard !verdict.permitsConnection else { return .nothing }
            state = .over
            return .refuse(verdict)
        case .failedWhileJudging(let failure):
            state = .over
            return verdict.permitsConnection ? .fail(failure) : .refuse(verdict)
        }
    }

    /// The time is up, and the gate has no verdict that says so.
    mutating func deadlinePassed() -> Action {
        switch state {
        case .over: return .nothing
        case .failedWhileJudging(let failure):
            state = .over
            return .fail(failure)
        case .handshaking:
            state = .over
            return .fail(HandshakeFailure(.timedOut, "The handshake did not end in time."))
        }
    }

    private mutating func fail(_ failure: HandshakeFailure, gate: VerificationGateMachine.State) -> Action {
        if gate == .judging {
            state = .failedWhileJudging(failure)
            return .nothing
        }
        state = .over
        return .fail(failure)
    }
}
