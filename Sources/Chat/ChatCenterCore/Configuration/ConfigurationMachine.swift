import ChatWire

/// The configuration as a state machine: what the server said, what the store kept of it, the values that follow from both
/// and the host application's settings, and whether the company is open now.
struct ConfigurationMachine: Hashable, Sendable {
    private let settings: ChatSettings
    private var remote: ConfigurationAnswer?
    /// The values in force and where they come from.
    private(set) var effective: EffectiveConfiguration
    /// The configuration came from the server since the user was authorized.
    private(set) var isFetched = false
    /// The error of the last call, if it failed.
    private(set) var problem: TransportFailure?
    /// A call that failed in a way that may pass is made again then.
    private var retry = RetryState()
    private var isOutOfHours = false
    /// When the company opens or closes, on the monotonic clock.
    private var hoursChangeAt: Int64?

    init(_ settings: ChatSettings) {
        self.settings = settings
        var clamped: [EffectiveConfiguration.Clamped] = []
        effective = EffectiveConfiguration(settings, nil, clamped: &clamped)
    }

    // MARK: Looking

    /// The server answered without a part that the chat cannot do without, or never answered.
    var isMissing: Bool {
        guard let remote else { return problem != nil }
        return remote.settings == nil || remote.attachmentSettings == nil
    }

    /// The schedule of the company, if the company is closed now.
    var closedSchedule: Schedule? { isOutOfHours ? remote?.schedule : nil }

    /// Bytes; 30 MB as long as the server has not said otherwise.
    var largestFile: Int64 {
        Int64(RemoteNumber.largestFile.clamped(remote?.attachmentSettings?.maxSize ?? 30)) * 1_048_576
    }

    /// The extensions of files that the server takes, in lower case, without a dot; empty where it takes all.
    var fileExtensions: [String] {
        (remote?.attachmentSettings?.fileExtensions ?? []).map { $0.lowercased() }
    }

    /// Why a file cannot be sent; `nil` if it can.
    func refusal(of file: LocalFile) -> SendRefusal? {
        if file.size > largestFile { return .fileTooLarge(limit: largestFile) }
        let allowed = fileExtensions
        if !allowed.isEmpty, !allowed.contains(file.fileExtension) { return .fileTypeNotAllowed(file.fileExtension) }
        return nil
    }

    /// When there is something to do, on the monotonic clock.
    var wake: Int64? { [retry.at, hoursChangeAt].compactMap(\.self).min() }

    // MARK: Users

    /// Takes over what a store kept for the user who is authorized now; `apply` follows.
    mutating func restore(_ stored: ConfigurationAnswer?) {
        remote = stored
        isFetched = false
    }

    /// Nothing of the user stays.
    mutating func forgetUser() -> [CoreAction] {
        remote = nil
        isFetched = false
        problem = nil
        retry = RetryState()
        return apply()
    }

    // MARK: The call

    /// The server answered.
    mutating func arrived(_ answer: ConfigurationAnswer) -> [CoreAction] {
        isFetched = true
        problem = nil
        retry = RetryState()
        var actions: [CoreAction] = []
        if let time = answer.schedule?.serverTime { actions.append(.noteServerTime(time)) }
        actions += answer.problems.prefix(5).map { .log(.error, "configuration: \($0)") }
        return actions + adopt(answer) + apply()
    }

    /// The call failed. With an answer of an earlier time the chat goes on; without any the screen says that it cannot.
    /// While somebody looks at it, which `isWanted` says, a failure that may pass is tried again.
    mutating func failed(
        _ failure: TransportFailure, isWanted: Bool, at now: Moment, entropy: inout EntropySource
    ) {
        problem = failure
        guard failure.disposition == .transient, isWanted else { return }
        retry.putOff(from: now, base: 1000, hint: failure.retryAfterMilliseconds, entropy: entropy.next())
    }

    /// Ends the wait between attempts: the circumstances are better now.
    mutating func retryNow() { retry = RetryState() }

    /// Returns whether the call is to be made again now.
    mutating func expire(at now: Moment) -> Bool {
        guard let retryAt = retry.at, retryAt <= now.monotonic else { return false }
        retry.at = nil
        return true
    }

    // MARK: Changes

    /// The server pushed a part of the configuration while the chat is on.
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

    /// Takes over what of an answer can be used; the last good values fill the rest.
    private mutating func adopt(_ answer: ConfigurationAnswer) -> [CoreAction] {
        var rejected: [String] = []
        let usable = answer.validated(after: remote, rejected: &rejected)
        var actions = rejected.map { CoreAction.log(.error, "the server's \($0), what counted before still does") }
        if remote != usable {
            remote = usable
            actions.append(.save(.configuration(usable)))
        }
        return actions
    }

    /// Works out the values in force and tells them where they changed.
    mutating func apply() -> [CoreAction] {
        var clamped: [EffectiveConfiguration.Clamped] = []
        let next = EffectiveConfiguration(settings, remote, clamped: &clamped)
        guard next != effective else { return [] }
        var actions = clamped.map { value in
            CoreAction.log(.info, "\(value.name) = \(value.received) is out of range, \(value.used) is used")
        }
        actions += next.overrides(since: effective).map { override in
            .log(.info, "the server decides \(override.name) = \(override.value), it was \(override.past)")
        }
        effective = next
        return actions + [.notify(.configuration(next))]
    }

    // MARK: The hours

    /// Works out whether the company is open, and when that changes.
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
