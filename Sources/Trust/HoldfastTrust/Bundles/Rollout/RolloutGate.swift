/// Decides when a staged bundle is put in force, and whether the policy is frozen. A value type that does not access
/// files or clocks.
///
/// ``BundleState`` verifies a bundle and compares its policy before the bundle becomes pending here, and again before
/// it takes effect. Nothing in this type changes the policy in force.
package struct RolloutGate: Sendable {
    /// The configuration.
    package let settings: RolloutSettings
    private let application: String
    /// The bundle that waits for its cohort or for the end of a halt.
    package private(set) var pending: VerifiedBundle?
    /// The newest halt.
    package private(set) var halt: BundleHalt?
    /// The serial number of the newest halt, including halts that had expired when they arrived.
    private var haltSerial: Int64 = 0
    /// The newest timestamp.
    package private(set) var timestamp: BundleTimestamp?
    /// The last time at which a timestamp confirmed that this installation knows the newest version. Before the first
    /// timestamp, the time of the first launch.
    package private(set) var freshAsOf: Timestamp?

    /// Creates a gate without a pending bundle.
    package init(settings: RolloutSettings, application: String) {
        self.settings = settings
        self.application = application
    }

    // MARK: - The pending bundle

    /// Makes a bundle pending. It must have a roll-out and must be newer than the policy in force.
    ///
    /// - Throws: ``BundleError`` with the code `rollback` if a newer bundle is pending, or `versionReused`.
    package mutating func hold(_ bundle: VerifiedBundle) throws(BundleError) {
        if let pending {
            guard bundle.version >= pending.version else {
                throw BundleError(
                    .rollback, "Version \(bundle.version) is older than version \(pending.version), which is pending.")
            }
            guard bundle.version > pending.version || bundle.digest == pending.digest else {
                throw BundleError(
                    .versionReused, "Version \(bundle.version) is already pending with other contents.")
            }
        }
        pending = bundle
    }

    /// Removes the pending bundle if this version or a newer one is in force.
    package mutating func settle(upTo version: Int64) {
        if let pending, pending.version <= version { self.pending = nil }
    }

    /// Removes the pending bundle.
    package mutating func drop() { pending = nil }

    /// Returns whether the pending bundle may be put in force.
    package func decision(at now: Timestamp) -> RolloutDecision {
        guard let pending, let rollout = pending.rollout else { return .none }
        let position = settings.participant.position(for: application, version: pending.version)
        guard let stage = rollout.begin(for: settings.participant, position: position) else {
            return .waiting(until: nil)
        }
        let begin = max(stage, pending.notBefore)
        guard now >= begin else { return .waiting(until: begin) }
        guard !settings.haltKeys.isEmpty else { return .due }
        // Neither a halt key nor a timestamp key can delay an installation longer than this.
        let limit = begin.advanced(bySeconds: BundleHalt.maximumLifetime)
        if let halt, halt.stops(pending.version) {
            let end = min(halt.notAfter, limit)
            if now <= end { return .halted(until: end) }
        }
        if let timestamp, timestamp.haltSerial > haltSerial {
            let end = min(timestamp.notAfter, limit)
            if now <= end { return .haltMissing(until: end) }
        }
        return .due
    }

    // MARK: - Halts

    /// Accepts a fetched halt. Returns false if it is already known.
    ///
    /// - Throws: ``BundleError`` with the code `haltFromFuture`, `haltReplayed`, `haltExpired`, or that of the
    ///   verification.
    package mutating func offer(halt bytes: [UInt8], at now: Timestamp) throws(BundleError) -> Bool {
        let new = try BundleHalt(bytes, keys: settings.haltKeys, application: application)
        if let halt, halt.serial == new.serial, SHA256Hash(hashing: halt.bytes) == SHA256Hash(hashing: bytes) {
            return false
        }
        guard new.issued <= now.advanced(bySeconds: RolloutSettings.clockTolerance) else {
            throw BundleError(
                .haltFromFuture, "The halt was issued at \(new.issued), but the time of this device is \(now).")
        }
        let hasEnded = now > new.notAfter
        // A halt that had ended when it arrived counts as well. Otherwise its replacement could be replayed: an older
        // halt that lasts longer. The same ended halt may be fetched again.
        guard new.serial > haltSerial || (hasEnded && new.serial == haltSerial) else {
            throw BundleError(
                .haltReplayed, "The halt has the serial number \(new.serial), but \(haltSerial) is already known.")
        }
        haltSerial = new.serial
        guard !hasEnded else {
            // The stored halt keeps the serial number known after a restart. One that is in force is not replaced.
            if halt.map({ now > $0.notAfter }) ?? true { halt = new }
            throw BundleError(.haltExpired, "The halt with the serial number \(new.serial) ended at \(new.notAfter).")
        }
        halt = new
        return true
    }

    /// Restores the stored halt. It is verified again, but it may have ended: its serial number remains known.
    package mutating func restore(halt bytes: [UInt8]) throws(BundleError) {
        let stored = try BundleHalt(bytes, keys: settings.haltKeys, application: application)
        guard stored.serial > (halt?.serial ?? 0) else { return }
        halt = stored
        haltSerial = max(haltSerial, stored.serial)
    }

    // MARK: - Timestamps

    /// Accepts a fetched timestamp. Returns false if it is already known.
    ///
    /// - Parameters:
    ///   - known: The highest version that is in force or pending.
    ///   - digest: The digest of that version, or `nil` for the embedded policy.
    /// - Throws: ``BundleError`` with the code `timestampFromFuture`, `timestampTooOld`, `timestampReplayed`,
    ///   `timestampMismatch`, or that of the verification.
    package mutating func offer(
        timestamp bytes: [UInt8], known: Int64, digest: SHA256Hash?, at now: Timestamp
    ) throws(BundleError) -> Bool {
        let new = try BundleTimestamp(bytes, keys: settings.timestampKeys, application: application)
        guard new.issued <= now.advanced(bySeconds: RolloutSettings.clockTolerance) else {
            throw BundleError(
                .timestampFromFuture,
                "The timestamp was issued at \(new.issued), but the time of this device is \(now).")
        }
        guard now <= new.notAfter else {
            throw BundleError(.timestampTooOld, "The timestamp was valid until \(new.notAfter).")
        }
        if let timestamp {
            if timestamp.bytes == new.bytes { return false }
            guard new.issued > timestamp.issued else {
                throw BundleError(
                    .timestampReplayed,
                    "The timestamp was issued at \(new.issued), but one of \(timestamp.issued) is already known.")
            }
        }
        guard new.version != known || digest == nil || new.digest == digest else {
            throw BundleError(
                .timestampMismatch, "The timestamp names version \(known) with other contents than the known bundle.")
        }
        timestamp = new
        confirm(known: known)
        return true
    }

    /// Restores the stored timestamp. It is verified again, but it may have ended.
    package mutating func restore(timestamp bytes: [UInt8]) throws(BundleError) {
        let stored = try BundleTimestamp(bytes, keys: settings.timestampKeys, application: application)
        if let timestamp, stored.issued <= timestamp.issued { return }
        timestamp = stored
    }

    /// Begins to measure freshness. `stored` is the stored time. The file is not signed: a time in the future counts
    /// as now.
    package mutating func beginFreshness(_ stored: Timestamp?, at now: Timestamp) {
        guard !settings.timestampKeys.isEmpty, freshAsOf == nil else { return }
        freshAsOf = min(stored ?? now, now)
    }

    /// Records that a version is known. If the newest timestamp does not name a higher one, the installation was up to
    /// date when the timestamp was issued.
    package mutating func confirm(known: Int64) {
        guard let timestamp, timestamp.version <= known else { return }
        freshAsOf = max(freshAsOf ?? timestamp.issued, timestamp.issued)
    }

    /// The version that the newest timestamp names, if it is higher than `known`.
    package func newerVersion(than known: Int64) -> Int64? {
        timestamp.flatMap { $0.version > known ? $0.version : nil }
    }

    /// The time after which the policy counts as frozen, or `nil` without a timestamp key.
    package var frozenAfter: Timestamp? {
        guard !settings.timestampKeys.isEmpty else { return nil }
        return freshAsOf?.advanced(bySeconds: settings.freezeLimit)
    }

    /// Returns whether no timestamp has confirmed the policy for the configured time. Also returns true if the clock
    /// of the device was set back, because the time that has passed is then unknown.
    package func isFrozen(at now: Timestamp) -> Bool {
        guard let frozenAfter, let freshAsOf else { return false }
        return now > frozenAfter || now.advanced(bySeconds: RolloutSettings.clockTolerance) < freshAsOf
    }
}
