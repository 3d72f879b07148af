#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
import Dispatch
import Foundation
import Synchronization
#endif

/// Keeps the process running for a moment after the app entered the background, where the system would suspend it.
enum ProcessHold {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// Uses `ProcessInfo`'s expiring activities, which work on any thread and in extensions. The system may end one
    /// early.
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
                // The activity lasts as long as this block, which waits on a thread that the system created for it.
                guard !isExpired else { return _ = next.signal() }
                _ = next.wait(timeout: .now() + .milliseconds(Int(clamping: milliseconds)))
            }
        }
    }
    #else
    /// Does nothing: on other platforms a process continues to run in the background.
    static func ofTheSystem() -> @Sendable (Int64?) -> Void { { _ in } }
    #endif
}
