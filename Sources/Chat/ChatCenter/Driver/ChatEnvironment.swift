package import ChatCenterCore
import Dispatch
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
package import HoldfastTrust

/// What the chat takes from the world around it. Tests and demonstrations replace parts of it.
package struct ChatEnvironment: Sendable {
    /// Time, and the one timer.
    package var clock: any ChatClock = SystemChatClock()
    /// Fresh randomness.
    package var entropy: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    /// New identifiers.
    package var identifier: @Sendable () -> String = { UUID().uuidString.lowercased() }
    /// The time of trust decisions.
    package var trustClock = TrustClock.system
    /// The roots of the system's verification.
    package var anchors = TrustAnchors.system
    /// Addresses to dial in place of hosts.
    package var hostOverrides: [String: String] = [:]
    /// Asks the system to let the process run for so many milliseconds after it went to the background; `nil` when that
    /// is over.
    package var holdProcess: @Sendable (Int64?) -> Void = ProcessHold.ofTheSystem()
    /// What watches the device's way to the network.
    package var makePathMonitor: @Sendable () -> any ChatPathMonitor = { SystemPathMonitor.make() }
    /// Runs work a moment after the SDK was made, on a thread of its own: the start of an app has other things to read first.
    package var afterStart: @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(2), execute: work)
    }
    /// Another network than the real one; it gets the sink for its events.
    package var makeNetwork: (@Sendable (@escaping @Sendable (NetworkEvent) -> Void) -> any ChatNetwork)?

    /// The real world.
    package init() {}
}
