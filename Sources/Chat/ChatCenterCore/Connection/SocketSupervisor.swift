/// The life of the socket as a state machine: idle → opening → registering → introducing → ready, with a wait after a
/// loss and a halt when only the host application can help. It owns no socket and no timer.
struct SocketSupervisor: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        /// Nothing is wanted. Next: opening.
        case idle(CloseReason?)
        /// Dial, TLS, upgrade. Next: registering, waiting, idle.
        case opening(deadline: Int64)
        /// Next: introducing, waiting, halted, idle.
        case registering(deadline: Int64)
        /// Next: ready, waiting, halted, idle.
        case introducing(deadline: Int64)
        /// Next: waiting, halted, idle.
        case ready(since: Int64)
        /// Next: opening, idle.
        case waiting(Deadline, attempt: Int, cause: DisconnectCause)
        /// Nothing is tried before `resume`. Next: idle.
        case halted(CloseReason)
    }

    private(set) var phase = Phase.idle(nil)
    private(set) var generation = Generation(0)
    /// Losses in a row without a stable socket between them.
    private(set) var failures = 0
    /// When the last sockets were opened, on the monotonic clock: as many as `dialBurst` at the most.
    private var dials: [Int64] = []
    /// When the silence began, on the monotonic clock.
    private var silentSince: Int64 = 0
    /// When the next probe is due; none is while one is under way.
    private var probeAt = Int64.max
    /// By when the probe that is under way has to be answered.
    private var answerBy = Int64.max
    private var unanswered = 0
    /// The frame of the message that waits for its reply. A shorter silence triggers a ping while there is one.
    private var pressing: String?
    /// When the frame was sent, until a ping follows it. Other traffic does not delay that ping.
    private var pressedAt: Int64?
    /// Something happened that may have cut the link.
    private var isDoubted = false

    /// The generation of the socket that there is, if there is one.
    var live: Generation? {
        switch phase {
        case .opening, .registering, .introducing, .ready: generation
        case .idle, .waiting, .halted: nil
        }
    }

    var isReady: Bool {
        if case .ready = phase { true } else { false }
    }

    /// The state of the connection as everybody sees it.
    var connection: ChatConnectionState {
        switch phase {
        case .idle(nil): .idle
        case .idle(.some(let reason)), .halted(let reason): .closed(reason)
        case .opening: .connecting
        case .registering, .introducing: .registering
        case .ready: .ready
        case .waiting(let deadline, let attempt, let cause):
            .waitingToReconnect(attempt: attempt, atMilliseconds: deadline.wall, cause: cause)
        }
    }

    /// No socket is ready, and one is wanted.
    var isAwaited: Bool {
        switch phase {
        case .waiting, .opening, .registering, .introducing, .halted: true
        case .idle, .ready: false
        }
    }

    /// When `expire` has something to do.
    var wake: Int64? {
        switch phase {
        case .idle, .halted: nil
        case .opening(let deadline), .registering(let deadline), .introducing(let deadline): deadline
        case .ready: min(probeAt, answerBy)
        case .waiting(let deadline, _, _): deadline.monotonic
        }
    }

    // MARK: Wishes

    /// Brings the socket to what is wanted.
    mutating func settle(_ wish: SocketWish, at now: Moment, _ rules: SocketRules) -> [CoreAction] {
        if case .closed(let reason) = wish { return close(reason) }
        switch phase {
        case .idle: return open(at: now, rules)
        case .waiting(let deadline, _, _) where deadline.hasPassed(now): return open(at: now, rules)
        default: return []
        }
    }

    /// Closes what there is; nothing is tried until the next wish. What is halted stays so unless the user leaves.
    mutating func close(_ reason: CloseReason) -> [CoreAction] {
        switch phase {
        case .idle: return []
        case .halted where reason != .loggedOut: return []
        default: break
        }
        let closed = live
        phase = .idle(reason)
        return closed.map { [.close($0, reason)] } ?? []
    }

    /// Closes what there is; nothing is tried until `resume`.
    mutating func halt(_ reason: CloseReason) -> [CoreAction] {
        let closed = live
        phase = .halted(reason)
        return closed.map { [.close($0, reason)] } ?? []
    }

    /// There is another token, or another user: what was halted or waits may be tried at once.
    mutating func resume() {
        forgetFailures()
        if case .halted = phase { phase = .idle(nil) }
    }

    /// The circumstances are new: a wait ends, and the count of failures begins anew. What was halted stays so.
    mutating func forgetFailures() {
        failures = 0
        if case .waiting = phase { phase = .idle(nil) }
    }

    /// The network may be another one: a wait ends if there is a route, a live socket is probed.
    mutating func networkChanged(at now: Moment, hasRoute: Bool) {
        if hasRoute, case .waiting = phase { forgetFailures() }
        doubt(at: now)
    }

    /// The socket stands on a network that is gone: it is closed, and nothing keeps the next one waiting.
    mutating func replace(_ reason: CloseReason) -> [CoreAction] {
        forgetFailures()
        guard let closed = live else { return [] }
        phase = .idle(reason)
        return [.close(closed, reason)]
    }

    /// The socket may have died without a word: it is probed now, and one short probe decides.
    mutating func doubt(at now: Moment) {
        guard case .ready = phase else { return }
        isDoubted = true
        if answerBy == .max {
            probeAt = now.monotonic
        } else {
            answerBy = min(answerBy, now.after(milliseconds: SocketRules.shortProbeTimeout).monotonic)
        }
    }

    /// Sets the frame of the message that waits for its reply; `nil` if no message waits.
    mutating func press(_ frame: String?, at now: Moment, _ rules: SocketRules) {
        guard frame != pressing else { return }
        if pressing == nil { silentSince = now.monotonic }
        pressing = frame
        pressedAt = frame.map { _ in now.monotonic }
        if answerBy == .max { scheduleProbe(rules) }
    }

    /// Opens a socket, unless too many were opened lately: then it waits like one that was lost, and no change of the
    /// circumstances makes the wait shorter.
    private mutating func open(at now: Moment, _ rules: SocketRules) -> [CoreAction] {
        let window = SocketRules.dialWindow * 1_000_000
        dials.removeAll { $0.saturatingAdd(window) <= now.monotonic }
        if dials.count >= SocketRules.dialBurst, let oldest = dials.first {
            let rest = oldest.saturatingAdd(window) - now.monotonic
            phase = .waiting(
                now.after(milliseconds: rest / 1_000_000 + 1), attempt: max(1, failures), cause: .tooManyAttempts)
            return []
        }
        dials.append(now.monotonic)
        generation = Generation(generation.number &+ 1)
        phase = .opening(deadline: now.after(milliseconds: rules.connectionTimeout).monotonic)
        return [.open(generation)]
    }

    // MARK: What happens

    mutating func opened(at now: Moment, _ rules: SocketRules) -> [CoreAction] {
        guard case .opening = phase else { return [] }
        phase = .registering(deadline: now.after(milliseconds: rules.connectionTimeout).monotonic)
        return [.register]
    }

    mutating func registered(at now: Moment, _ rules: SocketRules) -> [CoreAction] {
        guard case .registering = phase else { return [] }
        phase = .introducing(deadline: now.after(milliseconds: rules.connectionTimeout).monotonic)
        return [.introduce]
    }

    mutating func introduced(at now: Moment, _ rules: SocketRules) -> [CoreAction] {
        guard case .introducing = phase else { return [] }
        phase = .ready(since: now.monotonic)
        heard(at: now, rules)
        return [.becameReady]
    }

    /// Something came back on the socket.
    mutating func heard(at now: Moment, _ rules: SocketRules) {
        unanswered = 0
        isDoubted = false
        answerBy = .max
        silentSince = now.monotonic
        scheduleProbe(rules)
    }

    private mutating func scheduleProbe(_ rules: SocketRules) {
        let silence = pressing == nil ? rules.pingInterval : SocketRules.shortProbeTimeout
        probeAt = (pressedAt ?? silentSince).saturatingAdd(silence.saturatingMultiply(1_000_000))
    }

    /// The socket is gone. The first try after a stable connection is made at once; each further wait is drawn from a
    /// longer span than the one before, and never shorter than the server asks for.
    mutating func lost(
        _ cause: DisconnectCause, at now: Moment, entropy: UInt64, _ rules: SocketRules
    ) -> [CoreAction] {
        guard live != nil else { return [] }
        var wasReady = false
        if case .ready(let since) = phase {
            wasReady = true
            if now.monotonic >= since.saturatingAdd(SocketRules.stableAfter * 1_000_000) { failures = 0 }
        }
        let wait =
            wasReady && failures == 0 && !cause.asksForPatience
            ? 0
            : RetryDelay.wait(
                after: failures, base: rules.retryInterval, multiplier: rules.retryMultiplier, entropy: entropy)
        failures += 1
        let hint = min(max(0, cause.retryAfterMilliseconds ?? 0), SocketRules.longestHint)
        phase = .waiting(now.after(milliseconds: max(wait, hint)), attempt: failures, cause: cause)
        return [.lost(cause)]
    }

    /// Closes the socket and counts it as lost.
    mutating func abandon(
        _ reason: CloseReason, _ cause: DisconnectCause, at now: Moment, entropy: UInt64, _ rules: SocketRules
    ) -> [CoreAction] {
        guard let closed = live else { return [] }
        return [.close(closed, reason)] + lost(cause, at: now, entropy: entropy, rules)
    }

    /// Does what is due.
    mutating func expire(at now: Moment, entropy: UInt64, _ rules: SocketRules) -> [CoreAction] {
        let step: HandshakeStep
        switch phase {
        case .opening(let deadline) where now.monotonic >= deadline: step = .upgrade
        case .registering(let deadline) where now.monotonic >= deadline: step = .registerDevice
        case .introducing(let deadline) where now.monotonic >= deadline: step = .clientInfo
        case .ready: return probe(at: now, entropy: entropy, rules)
        default: return []
        }
        return abandon(.handshakeTimeout, .handshakeTimeout(step), at: now, entropy: entropy, rules)
    }

    private mutating func probe(at now: Moment, entropy: UInt64, _ rules: SocketRules) -> [CoreAction] {
        if now.monotonic >= answerBy {
            unanswered += 1
            guard !isDoubted, unanswered < rules.pingRetries else {
                return abandon(.linkDead, .linkDead, at: now, entropy: entropy, rules)
            }
        } else if now.monotonic < probeAt {
            return []
        }
        probeAt = .max
        pressedAt = nil
        let patience = pressing != nil || isDoubted ? SocketRules.shortProbeTimeout : SocketRules.probeTimeout
        answerBy = now.after(milliseconds: patience).monotonic
        return [.ping(generation)]
    }
}
