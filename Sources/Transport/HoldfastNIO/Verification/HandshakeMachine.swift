import HoldfastTrust

/// The state machine of one handshake. It answers the TLS library exactly once and determines the outcome from events
/// in any order.
///
/// A refusing verdict takes precedence over every channel error, earlier or later. An error waits for a running
/// evaluation.
struct HandshakeMachine: Sendable {
    private enum State {
        /// The server has not presented a certificate yet. Next: every other state.
        case waiting
        /// The evaluation is running; the channel may already have failed. Next: decided.
        case judging(HandshakeFailure?)
        /// There is a verdict, with a chain if one was evaluated. If it refuses, or the channel has failed, the event
        /// loop is about to report that. Next: accepted, failed.
        case decided(TrustVerdict, PresentedChain?, HandshakeFailure?)
        /// The handshake is complete, and the server is accepted.
        case accepted(TrustVerdict)
        /// The handshake has failed. A certificate that arrives now is refused without evaluation.
        case failed(TrustVerdict?)
    }

    /// The action that the caller must perform.
    enum Action: Hashable, Sendable {
        /// Evaluate the chain and keep the TLS library's promise for the answer.
        case judge
        /// Refuse immediately, because the TLS library's request is late or repeated.
        case refuseUnseen
        /// On the event loop, notify the handshake of the verdict, then answer the TLS library.
        case answer(TrustVerdict)
        /// Accept the server with the evaluated chain.
        case succeed(TrustVerdict, PresentedChain)
        /// Refuse the server.
        case refuse(TrustVerdict)
        /// Fail the handshake.
        case fail(HandshakeFailure)
        /// Do nothing.
        case nothing
    }

    private var state = State.waiting

    /// The verdict, once there is one. It does not change.
    var verdict: TrustVerdict? {
        switch state {
        case .decided(let verdict, _, _), .accepted(let verdict), .failed(let verdict?): verdict
        case .waiting, .judging, .failed(nil): nil
        }
    }

    /// Whether an evaluation is running.
    var isJudging: Bool { if case .judging = state { true } else { false } }

    /// Whether the server is accepted. Later channel errors do not concern the handshake.
    var isAccepted: Bool { if case .accepted = state { true } else { false } }

    /// Whether the outcome is known: the server is accepted, or the handshake has failed.
    var isOver: Bool { if case .failed = state { true } else { isAccepted } }

    /// Handles the TLS library's request to verify a chain. A second request would be a renegotiation, which is
    /// disabled.
    mutating func asked() -> Action {
        guard case .waiting = state else { return .refuseUnseen }
        state = .judging(nil)
        return .judge
    }

    /// Handles the end of an evaluation. A verdict without a chain never accepts. Called from any thread.
    mutating func judged(_ verdict: TrustVerdict, on presented: PresentedChain?) -> Action {
        guard case .judging(let failure) = state else { return .nothing }
        state = .decided(verdict, presented, failure)
        return .answer(verdict)
    }

    /// Handles the verdict on the event loop.
    mutating func told() -> Action {
        guard case .decided(let verdict, _, let failure) = state else { return .nothing }
        guard verdict.permitsConnection else { return end(.refuse(verdict)) }
        return failure.map { end(.fail($0)) } ?? .nothing
    }

    /// Handles the TLS library's report that the handshake is complete.
    mutating func completed() -> Action {
        if case .decided(let verdict, let presented?, nil) = state, verdict.permitsConnection {
            state = .accepted(verdict)
            return .succeed(verdict, presented)
        }
        return failed(HandshakeFailure(.unverified, "The handshake completed without a verification."))
    }

    /// Handles an error or the end of the channel. `refusal` makes the verdict if the TLS library rejected the
    /// certificate.
    mutating func channelFailed(_ problem: TLSErrorClassification, refusal: (String) -> TrustVerdict) -> Action {
        switch problem {
        case .failure(let failure):
            return failed(failure)
        case .certificate(let reason):
            guard case .waiting = state else {
                return failed(HandshakeFailure(.invalidMessage, "The handshake failed: \(reason)."))
            }
            let verdict = refusal(reason)
            state = .decided(verdict, nil, nil)
            return .answer(verdict)
        }
    }

    /// Handles the end of the TLS deadline. `refusal` makes the verdict that ends an evaluation.
    mutating func deadlinePassed(refusal: () -> TrustVerdict) -> Action {
        switch state {
        case .judging: judged(refusal(), on: nil)
        case .decided(let verdict, _, _) where !verdict.permitsConnection: .nothing
        case .waiting, .decided, .accepted, .failed:
            failed(HandshakeFailure(.timedOut, "The handshake did not complete before its deadline."))
        }
    }

    private mutating func failed(_ failure: HandshakeFailure) -> Action {
        switch state {
        case .judging(let earlier):
            state = .judging(earlier ?? failure)
            return .nothing
        case .decided(let verdict, _, _) where !verdict.permitsConnection: return end(.refuse(verdict))
        case .waiting, .decided(_, _, nil): return end(.fail(failure))
        case .decided, .accepted, .failed: return .nothing
        }
    }

    private mutating func end(_ outcome: Action) -> Action {
        state = .failed(verdict)
        return outcome
    }
}
