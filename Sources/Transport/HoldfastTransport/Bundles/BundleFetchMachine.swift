package import HoldfastTrust

/// Decides when bundles are fetched, which entity tag a request carries, and which events are reported. It does not
/// access a clock, a disk, a network or a random number generator.
///
/// ``PinBundleFetcher`` drives it for one app, and the fleet simulation for millions. The driver calls ``begin(_:)``,
/// ``request(_:at:)``, ``ended(_:_:at:)`` and ``finish(_:_:)`` for each attempt, and ``wait(after:entropy:)`` between
/// two attempts.
package struct BundleFetchMachine: Hashable, Sendable {
    /// What the machine needs to know about the policy in force.
    package struct InForce: Hashable, Sendable {
        /// The version in force.
        package var version: Int64
        /// The digest of the bundle's bytes; `nil` if the embedded policy is in force.
        package var digest: SHA256Hash?
        /// The bundle that waits for its cohort or for the end of a halt.
        package var pending: Pending?
        /// Whether the validity of the bundle has ended.
        package var isStale: Bool
        /// Whether the bundle could not be written to disk yet.
        package var isStorageOwed: Bool

        package init(
            version: Int64, digest: SHA256Hash?, pending: Pending? = nil, isStale: Bool, isStorageOwed: Bool = false
        ) {
            self.version = version
            self.digest = digest
            self.pending = pending
            self.isStale = isStale
            self.isStorageOwed = isStorageOwed
        }
    }

    /// A pending bundle.
    package struct Pending: Hashable, Sendable {
        package var version: Int64
        /// The digest of the bundle's bytes.
        package var digest: SHA256Hash

        package init(version: Int64, digest: SHA256Hash) {
            self.version = version
            self.digest = digest
        }
    }

    /// The tasks before a request.
    package struct Preparation: Hashable, Sendable {
        /// Whether the bundle in force must be written to disk first. The driver reports the result with `wrote`.
        package var writesBundle: Bool
        /// Whether the stored tag must be read first. The driver reports it with `read`.
        package var readsTag: Bool
    }

    /// The decision of the `BundleState` about a fetched bundle.
    package enum Decision: Hashable, Sendable {
        /// The bundle was accepted or already in force. `storageProblem` is the reason why it was not written to disk.
        case accepted(BundleState.Acceptance, storageProblem: BundleError?)
        /// The bundle was refused.
        case refused(BundleError)
    }

    /// The end of a request.
    package enum Answer: Hashable, Sendable {
        /// The server responded that the requested bundle has not changed.
        case notModified
        /// The server sent a bundle with these bytes, and the state decided about it.
        case bundle(digest: SHA256Hash, tag: String?, Decision)
        /// No bundle was received.
        case failed(BundleFetchError)
    }

    /// The actions after an attempt, in their order: report the events, then store the tag.
    package struct Actions: Hashable, Sendable {
        /// The result of the attempt, which is also the first event.
        package var result: BundleFetchEvent
        /// The event that the accepted bundle could not be written to disk.
        package var notKept: BundleFetchEvent?
        /// The tag to store on disk.
        package var storesTag: BundleTag?
        /// The outcome for the schedule.
        package var outcome: BundleSchedule.Outcome

        /// Whether the server has the pending bundle. The driver then asks for a halt, and reports the result
        /// afterwards.
        package var isPendingConfirmed: Bool {
            if case .deferred = result { true } else { false }
        }
    }

    /// The number of consecutive failures, and the rule for waits.
    package private(set) var schedule: BundleSchedule
    /// The longest random wait before the first attempt after a launch, in seconds.
    private let launchSpread: Int64
    /// The tag of the stored bundle.
    package private(set) var tag: BundleTag?
    /// The tag of a bundle that is not newer than the embedded policy. It is not stored, because the next version of
    /// the app may embed an older policy.
    package private(set) var outdatedTag: BundleTag?
    /// The version that was reported as stale.
    package private(set) var staleVersion: Int64?
    /// Whether the stored tag must still be read from disk.
    private var mustReadTag: Bool

    /// Creates a machine. With `readsTag`, the first attempt asks for the stored tag.
    package init(schedule: BundleSchedule, launchSpread: Int64 = 0, readsTag: Bool = false) {
        self.schedule = schedule
        self.launchSpread = min(max(0, launchSpread), 86_400)
        self.mustReadTag = readsTag
    }

    /// Creates a machine with the memory of an earlier one.
    package init(
        schedule: BundleSchedule, launchSpread: Int64, tag: BundleTag?, outdatedTag: BundleTag?, staleVersion: Int64?
    ) {
        self.init(schedule: schedule, launchSpread: launchSpread)
        self.tag = tag
        self.outdatedTag = outdatedTag
        self.staleVersion = staleVersion
    }

    // MARK: When

    /// Starts the schedule. Returns the wait before the first attempt, in seconds.
    package mutating func launched(entropy: UInt64) -> Int64 {
        schedule.restart()
        return launchSpread > 0 ? Int64(entropy % UInt64(launchSpread + 1)) : 0
    }

    /// Returns the wait between an attempt and the next one, in seconds.
    package mutating func wait(after outcome: BundleSchedule.Outcome, entropy: UInt64) -> Int64 {
        schedule.next(after: outcome, entropy: entropy)
    }

    // MARK: Before a request

    /// Returns the tasks before a request.
    package func begin(_ inForce: InForce) -> Preparation {
        Preparation(writesBundle: inForce.isStorageOwed, readsTag: mustReadTag)
    }

    /// Processes the repeated write of a bundle that an earlier attempt could not write.
    package func wrote(version: Int64, problem: BundleError?) -> BundleFetchEvent {
        problem.map { .notKept($0) } ?? .kept(version: version)
    }

    /// Processes the stored tag. A tag that was received in the meantime has priority.
    package mutating func read(_ stored: BundleTag?) {
        tag = tag ?? stored
        mustReadTag = false
    }

    /// Returns the tag to send, or `nil` if it is unknown or must not be used. The complete bundle is requested at
    /// least once a day, and always while the bundle in force is stale.
    package func request(_ inForce: InForce, at now: Timestamp) -> String? {
        if let pending = inForce.pending, let tag, tag.digest == pending.digest {
            return tag.isFresh(at: now) ? tag.text : nil
        }
        guard let digest = inForce.digest else {
            return outdatedTag.flatMap { $0.isFresh(at: now) ? $0.text : nil }
        }
        guard let tag, tag.digest == digest, tag.isFresh(at: now), !inForce.isStale else { return nil }
        return tag.text
    }

    // MARK: After a request

    /// Processes the end of a request. `inForce` is the state after the decision, and `time` the time of the decision.
    package mutating func ended(_ answer: Answer, _ inForce: InForce, at time: Timestamp) -> Actions {
        switch answer {
        case .notModified: return Actions(result: confirmed(inForce), outcome: .settled)
        case .failed(let error):
            return Actions(result: .failed(error), outcome: .failed(retryAfter: error.retryAfter))
        case .bundle(let digest, let text, let decision):
            return decided(decision, BundleTag(text, digest: digest, at: time), inForce)
        }
    }

    /// The event for a server that has the bundle whose tag was sent.
    private func confirmed(_ inForce: InForce) -> BundleFetchEvent {
        if let pending = inForce.pending, let tag, tag.digest == pending.digest {
            return .deferred(version: pending.version, until: nil)
        }
        return inForce.digest == nil ? .outdated(version: inForce.version) : .unchanged(version: inForce.version)
    }

    /// Finishes an attempt, after a pending bundle was put in force or not. Returns the event that the bundle in force
    /// is stale, once for each version.
    package mutating func finish(_ actions: inout Actions, _ inForce: InForce) -> BundleFetchEvent? {
        // A pending write to disk is retried soon, whatever the server responded.
        if inForce.isStorageOwed, actions.outcome == .settled { actions.outcome = .failed(retryAfter: nil) }
        guard inForce.isStale, staleVersion != inForce.version else { return nil }
        staleVersion = inForce.version
        return .stale(version: inForce.version)
    }

    private mutating func decided(
        _ decision: Decision, _ received: BundleTag?, _ inForce: InForce
    ) -> Actions {
        let version = inForce.version
        switch decision {
        case .refused(let error)
        where inForce.digest == nil && (error.code == .rollback || error.code == .versionReused):
            // The app was updated before the server. Retrying would not help.
            outdatedTag = received
            return Actions(result: .outdated(version: version), outcome: .settled)
        case .refused(let error):
            return Actions(result: .refused(error), outcome: .failed(retryAfter: nil))
        case .accepted(let acceptance, let problem):
            let stored = received == tag ? nil : received
            tag = received
            let result: BundleFetchEvent =
                switch acceptance {
                case .taken: .taken(version: version)
                case .unchanged: .unchanged(version: version)
                case .deferred(let until): .deferred(version: inForce.pending?.version ?? version, until: until)
                }
            return Actions(
                result: result, notKept: problem.map { .notKept($0) }, storesTag: stored, outcome: .settled)
        }
    }
}
