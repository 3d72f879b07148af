import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Caches the machine's root certificates and reads them again when their files change. Safe to use from any thread.
///
/// The store does not read a clock; the caller passes in the time. The store checks the files again when
/// ``recheckInterval`` has passed or the time went back. Reading blocks the calling thread and all other threads that
/// call ``current(at:)`` meanwhile.
public final class SystemRootStore: Sendable {
    /// The store of this process. It uses the environment at the time of the first use.
    public static let shared = SystemRootStore(environment: ProcessInfo.processInfo.environment)

    /// The number of seconds between two checks of the files.
    public static let recheckInterval: Int64 = 60

    private struct Held: Sendable {
        var roots: SystemRoots
        var checked: Timestamp

        /// Whether the files need no check at `time`.
        func isRecent(at time: Timestamp) -> Bool {
            let (age, overflow) = time.secondsSince1970.subtractingReportingOverflow(checked.secondsSince1970)
            return !overflow && (0..<SystemRootStore.recheckInterval).contains(age)
        }
    }

    private let read: @Sendable () throws(SystemRootsError) -> SystemRoots
    private let held = Mutex<Held?>(nil)
    private let reloads = Atomic<UInt64>(0)

    /// The number of times that the roots were read. Never blocks, not even while the roots are being read.
    package var generation: UInt64 { reloads.load(ordering: .acquiring) }

    /// Creates a separate store with other environment variables than those of the process.
    public convenience init(environment: [String: String]) {
        self.init { () throws(SystemRootsError) in try SystemRoots.load(environment: environment) }
    }

    init(read: @escaping @Sendable () throws(SystemRootsError) -> SystemRoots) {
        self.read = read
    }

    /// Whether the roots are in memory and their files need no check at `time`. Never blocks: while another thread
    /// uses the store, they may be about to be read again.
    package func isReady(at time: Timestamp) -> Bool {
        held.withLockIfAvailable { $0?.isRecent(at: time) ?? false } ?? false
    }

    /// Returns the roots at `time`.
    ///
    /// Throws ``SystemRootsError`` if there are no roots, even if there were some before: a store that the
    /// administrator emptied must no longer be trusted. After an error, every call tries again.
    public func current(at time: Timestamp) throws(SystemRootsError) -> SystemRoots {
        try held.withLock { held throws(SystemRootsError) in
            if let known = held {
                if known.isRecent(at: time) { return known.roots }
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
