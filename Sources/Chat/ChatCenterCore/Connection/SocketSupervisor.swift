/// A state machine for the life of the socket: idle → opening → registering → introducing → ready. It waits
/// after a loss, and it halts when only the host application can resolve the problem. It owns neither a socket
/// nor a timer.
struct SocketSupervisor: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        /// No socket is needed. Next: opening.
        case idle(CloseReason?)
        /// Dial, TLS handshake and upgrade. Next: registering, waiting, idle.
        case opening(deadline: Int64)
        /// `registerDevice` is in progress. Next: introducing, waiting, halted, idle.
        case registering(deadline: Int64)
        /// CLIENT_INFO is in progress. Next: ready, waiting, halted, idle.
        case introducing(deadline: Int64)
        /// The socket can send and receive messages. Next: waiting, halted, idle.
        case ready(since: Int64)
        /// The next attempt is scheduled. Next: opening, idle.
        case waiting(Deadline, attempt: Int, cause: DisconnectCause)
        /// No attempts are made before `resume`. Next: idle.
        case halted(CloseReason)
    }

    private(set) var phase = Phase.idle(nil)
    private(set) var generation = Generation(0)
    /// The number of consecutive losses without a stable socket between them.
    private(set) var failures = 0
    /// The times of the last attempts to open a socket, on the monotonic clock; at most `dialBurst` entries.
    private var dials: [Int64] = []
    /// The start of the current silence, on the monotonic clock.
    private var silentSince: Int64 = 0
    /// The time of the next probe, on the monotonic clock; `.max` while a probe is pending.
    private var probeAt = Int64.max
    /// The deadline of the pending probe, on the monotonic clock; `.max` if no probe is pending.
    private var answerBy = Int64.max
    private var unanswered = 0
    /// The frame of the message that waits for its reply. If it is set, a shorter silence triggers a ping.
    private var pressing: String?
    /// The time when that frame was sent, until a ping follows it. Other traffic does not delay that ping.
    private var pressedAt: Int64?
    /// Whether an event may have broken the link.
    private var isDoubted = false

    /// The generation of the current socket, if there is one.
    var live: Generation? {
        switch phase {
        case .opening, .registering, .introducing, .ready: generation
        case .idle, .waiting, .halted: nil
        }
    }

    var isReady: Bool {
        if case .ready = phase { true } else { false }
    }

    /// The state of the connection, for the host application and the screen.
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

    /// Whether a socket is needed but not ready.
    var isAwaited: Bool {
        switch phase {
        case .waiting, .opening, .registering, .introducing, .halted: true
        case .idle, .ready: false
        }
    }

    /// The time of the next call of `expire`, on the monotonic clock.
    var wake: Int64? {
        switch phase {
        case .idle, .halted: nil
        case .opening(let deadline), .registering(let deadline), .introducing(let deadline): deadline
        case .ready: min(probeAt, answerBy)
        case .waiting(let deadline, _, _): deadline.monotonic
        }
    }

    /// The nanoseconds by which the call of `expire` may be later than `wake`. Only the probe of an idle socket can
    /// wait.
    ///
    /// - Parameter other: The next deadline of another part, which cannot wait.
    func wakeTolerance(_ rules: SocketRules, before other: Int64) -> Int64 {
        guard isReady, answerBy == .max, pressing == nil else { return 0 }
        let longest = min(rules.pingInterval / 10, SocketRules.longestProbeDelay).saturatingMultiply(1_000_000)
        return max(0, min(longest, other.saturatingAdd(-probeAt)))
    }

    // MARK: Requested state

    /// Opens or closes the socket so that it matches the wish.
    mutating func settle(_ wish: SocketWish, at now: Moment, _ rules: SocketRules) -> [CoreAction] {
        if case .closed(let reason) = wish { return close(reason) }
        switch phase {
        case .idle: return open(at: now, rules)
        case .waiting(let deadline, _, _) where deadline.hasPassed(now): return open(at: now, rules)
        default: return []
        }
    }

    /// Closes the socket, if there is one, until the next wish. A halted supervisor stays halted unless the user is
    /// logged out.
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

    /// Closes the socket, if there is one, and halts until `resume`.
    mutating func halt(_ reason: CloseReason) -> [CoreAction] {
        let closed = live
        phase = .halted(reason)
        return closed.map { [.close($0, reason)] } ?? []
    }

    /// Ends a halt or a wait because there is another token or another user.
    mutating func resume() {
        forgetFailures()
        if case .halted = phase { phase = .idle(nil) }
    }

    /// Ends a wait and resets the failure counter because the conditions changed. A halted supervisor stays halted.
    mutating func forgetFailures() {
        failures = 0
        if case .waiting = phase { phase = .idle(nil) }
    }

    /// Handles a possible change of the network. If there is a route, a wait ends. A live socket is probed.
    mutating func networkChanged(at now: Moment, hasRoute: Bool) {
        if hasRoute, case .waiting = phase { forgetFailures() }
        doubt(at: now)
    }

    /// Closes the socket because its network is gone, and ends any wait for the next socket.
    mutating func replace(_ reason: CloseReason) -> [CoreAction] {
        forgetFailures()
        guard let closed = live else { return [] }
        phase = .idle(reason)
        return [.close(closed, reason)]
    }

    /// Probes the socket now, because it may be dead. If this one short probe fails, the socket counts as lost.
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

    /// Opens a socket. If too many sockets were opened recently, the supervisor waits as after a loss, and the dial
    /// limit applies even if the conditions change.
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

    // MARK: Events

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

    /// Records that a frame or a pong arrived on the socket.
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

    /// Handles the loss of the socket. The first attempt after a stable connection starts at once. Each further delay
    /// is drawn from a longer range, and it is at least as long as the server requested.
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

    /// Handles expired deadlines and due probes.
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
