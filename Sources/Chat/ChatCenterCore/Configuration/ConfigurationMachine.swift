import ChatWire

/// A state machine for the configuration. It combines the server's answer, the stored answer and the host application's
/// settings into effective values, and it tracks whether the company is open.
struct ConfigurationMachine: Hashable, Sendable {
    private let settings: ChatSettings
    private var remote: ConfigurationAnswer?
    /// The effective values and their origins.
    private(set) var effective: EffectiveConfiguration
    /// Whether the server sent the configuration since the user was authorized.
    private(set) var isFetched = false
    /// The error of the last call, if it failed.
    private(set) var problem: TransportFailure?
    /// The time of the retry after a failure that may be temporary.
    private var retry = RetryState()
    private var isOutOfHours = false
    /// The time when the company opens or closes next, on the monotonic clock.
    private var hoursChangeAt: Int64?

    init(_ settings: ChatSettings) {
        self.settings = settings
        var clamped: [EffectiveConfiguration.Clamped] = []
        effective = EffectiveConfiguration(settings, nil, clamped: &clamped)
    }

    // MARK: Looking

    /// Whether the configuration lacks a part that the chat requires, or was never received.
    var isMissing: Bool {
        guard let remote else { return problem != nil }
        return remote.settings == nil || remote.attachmentSettings == nil
    }

    /// The schedule of the company, if the company is closed now.
    var closedSchedule: Schedule? { isOutOfHours ? remote?.schedule : nil }

    /// The largest file size in bytes; 30 MB unless the server sent another limit.
    var largestFile: Int64 {
        Int64(RemoteNumber.largestFile.clamped(remote?.attachmentSettings?.maxSize ?? 30)) * 1_048_576
    }

    /// The file extensions that the server accepts, in lower case and without a dot; empty if it accepts all.
    var fileExtensions: [String] {
        (remote?.attachmentSettings?.fileExtensions ?? []).map { $0.lowercased() }
    }

    /// Returns the reason why a file cannot be sent; `nil` if it can.
    func refusal(of file: LocalFile) -> SendRefusal? {
        if file.size > largestFile { return .fileTooLarge(limit: largestFile) }
        let allowed = fileExtensions
        if !allowed.isEmpty, !allowed.contains(file.fileExtension) { return .fileTypeNotAllowed(file.fileExtension) }
        return nil
    }

    /// The time of the next call of `expire` or `settleHours`, on the monotonic clock.
    var wake: Int64? { [retry.at, hoursChangeAt].compactMap(\.self).min() }

    // MARK: Users

    /// Restores the stored configuration of the user who is now authorized. The caller then calls `apply`.
    mutating func restore(_ stored: ConfigurationAnswer?) {
        remote = stored
        isFetched = false
    }

    /// Deletes the user's configuration.
    mutating func forgetUser() -> [CoreAction] {
        remote = nil
        isFetched = false
        problem = nil
        retry = RetryState()
        return apply()
    }

    // MARK: The call

    /// Handles the server's answer.
    mutating func arrived(_ answer: ConfigurationAnswer) -> [CoreAction] {
        isFetched = true
        problem = nil
        retry = RetryState()
        var actions: [CoreAction] = []
        if let time = answer.schedule?.serverTime { actions.append(.noteServerTime(time)) }
        actions += answer.problems.prefix(5).map { .log(.error, "configuration: \($0)") }
        return actions + adopt(answer) + apply()
    }

    /// Handles a failed call. The chat continues with a stored configuration; without one, the screen shows the
    /// problem. A failure that may be temporary is retried only if `isWanted` is true.
    mutating func failed(
        _ failure: TransportFailure, isWanted: Bool, at now: Moment, entropy: inout EntropySource
    ) {
        problem = failure
        guard failure.disposition == .transient, isWanted else { return }
        retry.putOff(from: now, base: 1000, hint: failure.retryAfterMilliseconds, entropy: entropy.next())
    }

    /// Ends the wait between attempts, because the conditions improved.
    mutating func retryNow() { retry = RetryState() }

    /// Returns whether a retry is due.
    mutating func expire(at now: Moment) -> Bool {
        guard let retryAt = retry.at, retryAt <= now.monotonic else { return false }
        retry.at = nil
        return true
    }

    // MARK: Changes

    /// Handles a part of the configuration that the server pushed during the chat.
    mutating func pushed(_ body: ContentBody) -> [CoreAction] {
        switch body {
        case .schedule(let schedule):
            let time = schedule.serverTime.map { [CoreAction.noteServerTime($0)] } ?? []
            return time + update { $0.schedule = schedule }
        case .attachmentSettings(let settings): return update { $0.attachmentSettings = settings }
        case .settingsUpdated(let change): return update { $0 = $0.merging(change) }
        default: return []
        }
    }

    /// Changes a part of the configuration.
    mutating func update(_ change: (inout ConfigurationAnswer) -> Void) -> [CoreAction] {
        var next = remote ?? ConfigurationAnswer()
        change(&next)
        let past = remote
        let actions = adopt(next)
        return remote == past ? actions : actions + apply()
    }

    /// Adopts the valid values of an answer. The last valid values replace invalid ones.
    private mutating func adopt(_ answer: ConfigurationAnswer) -> [CoreAction] {
        var rejected: [String] = []
        let usable = answer.validated(after: remote, rejected: &rejected)
        var actions = rejected.map { CoreAction.log(.error, "the server's \($0); the previous value stays in force") }
        if remote != usable {
            remote = usable
            actions.append(.save(.configuration(usable)))
        }
        return actions
    }

    /// Recomputes the effective values and reports changes.
    mutating func apply() -> [CoreAction] {
        var clamped: [EffectiveConfiguration.Clamped] = []
        let next = EffectiveConfiguration(settings, remote, clamped: &clamped)
        guard next != effective else { return [] }
        var actions = clamped.map { value in
            CoreAction.log(.info, "\(value.name) = \(value.received) is out of range, \(value.used) is used")
        }
        actions += next.overrides(since: effective).map { override in
            .log(.info, "the server sets \(override.name) = \(override.value), previously \(override.past)")
        }
        effective = next
        return actions + [.notify(.configuration(next))]
    }

    // MARK: The hours

    /// Updates whether the company is open, and when that changes.
    mutating func settleHours(at now: Moment, _ clock: ServerClock) {
        guard let schedule = remote?.schedule else {
            isOutOfHours = false
            hoursChangeAt = nil
            return
        }
        let time = clock.time(at: now)
        isOutOfHours = !schedule.isOpen(at: time)
        hoursChangeAt = schedule.untilChange(at: time).map { now.after(milliseconds: max(1, $0)).monotonic }
    }
}
