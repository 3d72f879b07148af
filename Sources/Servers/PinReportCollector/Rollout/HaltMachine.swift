import HoldfastTrust
import PinReportDesk
import PinReports

/// Decides what to do about the halt file of a roll-out. A value: it does not access files, keys, clocks or the store.
///
/// - A halt lasts seven days. It is renewed when less than half of this time is left, until no installation waits any
///   more: 14 days after the last stage has begun.
/// - Serial numbers only increase. The serial number of a halt is the time of its signature.
/// - All collectors publish the same bytes, which the store has. The first collector that signs determines them.
/// - An operator ends the halt with a newer halt for a lower version, signed by the same key. No collector then
///   publishes a halt for this version again.
struct HaltMachine: Sendable {
    /// What is at the path of the halt file.
    enum File: Hashable, Sendable {
        case missing
        /// An empty file, or a halt of the application that another key has signed. It is replaced.
        case unusable
        case halt(BundleHalt)
    }

    /// What to do next.
    enum Action: Hashable, Sendable {
        /// Nothing, because of this state.
        case done(HaltStatus)
        /// Store that an operator has ended the halt.
        case release
        /// Sign a halt from now on, and offer it to the store.
        case sign(serial: Int64, notAfter: Timestamp)
        /// Write the stored halt.
        case write(BundleHalt)
        /// Nothing can be done without a person.
        case blocked(String)
    }

    /// The time that a halt must have left; otherwise it is renewed.
    static let renewal = RolloutWords.haltLifetime / 2

    let plan: RolloutPlan
    let record: RolloutRecord
    /// The stored halt, if the collector's key has signed it.
    let stored: BundleHalt?
    let file: File
    let now: Timestamp

    /// Returns the next step. After a step other than `done` and `blocked`, ask again with the new record and file.
    func next() -> Action {
        guard let stop = record.stop else { return .done(now < plan.end ? .running : .over) }
        if let time = record.releasedAt { return .done(.released(time)) }
        guard now < plan.end else { return .done(.over) }
        guard stored != nil || record.halt == nil else {
            return .blocked("Another collector has signed the halt with another key: use the same halt key everywhere.")
        }
        let newest = max(record.haltSerial, published?.serial ?? 0)
        if let published, published.serial == newest, isRelease(published, after: stop) { return .release }
        if let published, published.serial == newest, suffices(published) {
            return .done(.published(until: published.notAfter))
        }
        if let stored, stored.serial == newest, suffices(stored) { return .write(stored) }
        guard now.secondsSince1970 > newest else {
            return .blocked(
                "The current halt has the serial number \(newest), which is not below the time of this machine.")
        }
        return .sign(
            serial: now.secondsSince1970, notAfter: now.advanced(bySeconds: RolloutWords.haltLifetime))
    }

    /// The halt at the path.
    private var published: BundleHalt? { if case .halt(let halt) = file { halt } else { nil } }

    private func isRelease(_ halt: BundleHalt, after stop: RolloutStop) -> Bool {
        halt.version < plan.id.version && halt.issued >= stop.decidedAt
    }

    private func suffices(_ halt: BundleHalt) -> Bool {
        // Apps refuse a halt from the future.
        halt.version >= plan.id.version && halt.notAfter >= now.advanced(bySeconds: Self.renewal)
            && halt.issued <= now.advanced(bySeconds: RolloutSettings.clockTolerance)
    }
}

/// The state of the halt of a roll-out.
enum HaltStatus: Hashable, Sendable {
    /// The roll-out goes on.
    case running
    /// The roll-out must stop, but the collector has no halt key.
    case byHand
    /// The halt is published, and lasts until this time.
    case published(until: Timestamp)
    /// The halt is not published, for this reason.
    case failed(String)
    /// An operator has ended the halt.
    case released(Timestamp)
    /// No installation waits any more.
    case over

    /// The name in metrics.
    var label: String {
        switch self {
        case .running: "running"
        case .byHand: "byHand"
        case .published: "halted"
        case .failed: "haltFailed"
        case .released: "released"
        case .over: "over"
        }
    }

    /// All names, for metrics without gaps.
    static let labels = ["running", "byHand", "halted", "haltFailed", "released", "over"]
}
