import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps the machine's roots, and reads them again when their files change. May be used from any thread.
///
/// The store reads no clock: whoever asks says what time it is, and the files are looked at again once
/// ``recheckInterval`` has passed by that time, or when it went back. Reading blocks the thread that asks, and every
/// other one that asks meanwhile.
public final class SystemRootStore: Sendable {
    /// The store of this process, with the environment as it is at the first use.
    public static let shared = SystemRootStore(environment: ProcessInfo.processInfo.environment)

    /// Seconds between two looks at the files.
    public static let recheckInterval: Int64 = 60

    private struct Held: Sendable {
        var roots: SystemRoots
        var checked: Timestamp
    }

    private let read: @Sendable () throws(SystemRootsError) -> SystemRoots
    private let held = Mutex<Held?>(nil)
    private let reloads = Atomic<UInt64>(0)

    /// Counts the times that roots were read. Never blocks, not even while they are read.
    package var generation: UInt64 { reloads.load(ordering: .acquiring) }

    /// Makes a store of its own, for other variables than the process has.
    public convenience init(environment: [String: String]) {
        self.init { () throws(SystemRootsError) in try SystemRoots.load(environment: environment) }
    }

    init(read: @escaping @Sendable () throws(SystemRootsError) -> SystemRoots) {
        self.read = read
    }

    /// The roots as they are at `time`.
    ///
    /// Throws ``SystemRootsError`` where there are none, also if there were some before: a store that the administrator
    /// emptied must not go on being trusted. After an error every call tries again.
    public func current(at time: Timestamp) throws(SystemRootsError) -> SystemRoots {
        try held.withLock { held throws(SystemRootsError) in
            if let known = held {
                let (age, overflow) = time.secondsSince1970.subtractingReportingOverflow(known.checked.secondsSince1970)
                if !overflow, (0..<Self.recheckInterval).contains(age) { return known.roots }
                if known.roots.fingerprint.isCurrent {
                    held?.checked = time
                    return known.roots
                }
            }
            held = nil
            reloads.add(1, ordering: .acquiringAndReleasing)
            let roots = try read()
            held = Held(roots: roots, checked: time)
            return roots
        }
    }
}
