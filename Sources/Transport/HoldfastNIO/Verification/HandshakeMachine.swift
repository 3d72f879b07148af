import HoldfastTrust

/// One handshake as a value: who answers the TLS library, once, and which of the signals that may come in any order is
/// the outcome.
///
/// A verdict that refuses beats every error of the channel, earlier or later. An error waits for a judgement that is under way.
struct HandshakeMachine: Sendable {
    private enum State {
        /// The server has shown no certificate yet. Next: every other state.
        case waiting
        /// The judgement is under way; the channel may have failed meanwhile. Next: decided.
        case judging(HandshakeFailure?)
        /// There is a verdict, and a chain unless the verdict is about none. If it refuses, or the channel has failed, the event
        /// loop is about to say so. Next: accepted, failed.
        case decided(TrustVerdict, PresentedChain?, HandshakeFailure?)
        /// The handshake is complete, and the server is accepted.
        case accepted(TrustVerdict)
        /// The handshake has failed. A certificate that comes now is refused unseen.
        case failed(TrustVerdict?)
    }

    /// What the drivers have to do.
    enum Action: Hashable, Sendable {
        /// Judge the chain, and keep the TLS library's promise for the answer.
        case judge
        /// Answer no to the TLS library at once: its question comes too late, or for a second time.
        case refuseUnseen
        /// On the event loop, tell the handshake about the verdict, then answer the TLS library.
        case answer(TrustVerdict)
        /// The server is accepted, for the chain that was judged.
        case succeed(TrustVerdict, PresentedChain)
        /// The server is refused.
        case refuse(TrustVerdict)
        /// The handshake has failed.
        case fail(HandshakeFailure)
        /// Nothing.
        case nothing
    }

    private var state = State.waiting

    /// The verdict, once there is one. It never changes again.
    var verdict: TrustVerdict? {
        switch state {
        case .decided(let verdict, _, _), .accepted(let verdict), .failed(let verdict?): verdict
        case .waiting, .judging, .failed(nil): nil
        }
    }

    /// Whether the judgement is under way.
    var isJudging: Bool { if case .judging = state { true } else { false } }

    /// Whether the server is accepted: what the channel reports from now on is not about the handshake.
    var isAccepted: Bool { if case .accepted = state { true } else { false } }

    /// Whether the outcome is known: the server is accepted, or the handshake has failed.
    var isOver: Bool { if case .failed = state { true } else { isAccepted } }

    /// The TLS library asks about a chain. A second question would be a renegotiation, which is switched off.
    mutating func asked() -> Action {
        guard case .waiting = state else { return .refuseUnseen }
        state = .judging(nil)
        return .judge
    }

    /// The judgement of `presented` has ended; a verdict about no chain never accepts. Comes from any thread.
    mutating func judged(_ verdict: TrustVerdict, on presented: PresentedChain?) -> Action {
        guard case .judging(let failure) = state else { return .nothing }
        state = .decided(verdict, presented, failure)
        return .answer(verdict)
    }

    /// The event loop hears of the verdict.
    mutating func told() -> Action {
        guard case .decided(let verdict, _, let failure) = state else { return .nothing }
        guard verdict.permitsConnection else { return end(.refuse(verdict)) }
        return failure.map { end(.fail($0)) } ?? .nothing
    }

    /// The TLS library says that the handshake is complete.
    mutating func completed() -> Action {
        if case .decided(let verdict, let presented?, nil) = state, verdict.permitsConnection {
            state = .accepted(verdict)
            return .succeed(verdict, presented)
        }
        return failed(HandshakeFailure(.unverified, "The handshake ended without a verification."))
    }

    /// The channel reports an error, or its end. `refusal` makes a verdict of the library's refusal of a certificate.
    mutating func channelFailed(_ problem: HandshakeProblem, refusal: (String) -> TrustVerdict) -> Action {
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

    /// The time for the handshake is up. `refusal` makes the verdict that ends a judgement.
    mutating func deadlinePassed(refusal: () -> TrustVerdict) -> Action {
        switch state {
        case .judging: judged(refusal(), on: nil)
        case .decided(let verdict, _, _) where !verdict.permitsConnection: .nothing
        case .waiting, .decided, .accepted, .failed:
            failed(HandshakeFailure(.timedOut, "The handshake did not end in time."))
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
