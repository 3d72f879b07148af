#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
import Dispatch
import Foundation
import Synchronization
#endif

/// Lets the process run on for a moment after the app went to the background, where a system would suspend it.
enum ProcessHold {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// `ProcessInfo`'s expiring activities: usable from any thread and in extensions. The system may end one early.
    static func ofTheSystem() -> @Sendable (Int64?) -> Void {
        let held = Mutex<DispatchSemaphore?>(nil)
        return { milliseconds in
            let next = milliseconds.map { _ in DispatchSemaphore(value: 0) }
            let past = held.withLock { held in
                defer { held = next }
                return held
            }
            past?.signal()
            guard let milliseconds, let next else { return }
            ProcessInfo.processInfo.performExpiringActivity(withReason: "chat acknowledgements") { isExpired in
                // The activity lasts as long as this block; it waits on a thread that the system made for it.
                guard !isExpired else { return _ = next.signal() }
                _ = next.wait(timeout: .now() + .milliseconds(Int(clamping: milliseconds)))
            }
        }
    }
    #else
    /// Elsewhere a process in the background runs on by itself.
    static func ofTheSystem() -> @Sendable (Int64?) -> Void { { _ in } }
    #endif
}
