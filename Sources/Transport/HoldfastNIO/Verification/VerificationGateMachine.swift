import HoldfastTrust

/// The life of one verification, as a value. It decides who answers the TLS library, and that it happens once.
struct VerificationGateMachine: Sendable {
    /// Where the verification stands.
    enum State: Hashable, Sendable {
        /// The server has shown no certificate yet. Next: judging, expired.
        case waiting
        /// The judgement is under way. Next: decided.
        case judging
        /// There is a verdict; it never changes again.
        case decided(TrustVerdict)
        /// The deadline passed before the server had shown a certificate: what comes now is refused unseen.
        case expired
    }

    /// What the driver has to do.
    enum Action: Hashable, Sendable {
        /// Judge the chain.
        case judge
        /// Answer the TLS library, and tell whoever waits for the verdict.
        case answer(TrustVerdict)
        /// Refuse the TLS library's question: there is nobody left who waits for the verdict.
        case refuseUnseen
        /// Nothing: the verdict came too late, or the deadline did.
        case nothing
    }

    private(set) var state: State = .waiting

    /// The verdict, once there is one.
    var verdict: TrustVerdict? {
        if case .decided(let verdict) = state { verdict } else { nil }
    }

    /// The TLS library asks about a chain.
    mutating func asked() -> Action {
        switch state {
        case .waiting:
            state = .judging
            return .judge
        case .expired, .judging, .decided:
            // A second question on one connection would be a renegotiation, which is switched off.
            return .refuseUnseen
        }
    }

    /// The judgement has ended.
    mutating func judged(_ verdict: TrustVerdict) -> Action {
        guard case .judging = state else { return .nothing }
        state = .decided(verdict)
        return .answer(verdict)
    }

    /// The time for the handshake is up. `verdict` is the refusal that says so.
    mutating func deadlinePassed(_ verdict: @autoclosure () -> TrustVerdict) -> Action {
        switch state {
        case .waiting:
            state = .expired
            return .nothing
        case .judging:
            let verdict = verdict()
            state = .decided(verdict)
            return .answer(verdict)
        case .decided, .expired:
            return .nothing
        }
    }

    /// The TLS library refused the certificate before it asked. `verdict` is the refusal that says so.
    mutating func refusedByLibrary(_ verdict: @autoclosure () -> TrustVerdict) -> Action {
        guard case .waiting = state else { return .nothing }
        let verdict = verdict()
        state = .decided(verdict)
        return .answer(verdict)
    }
}
