package import ChatCenterCore
import Dispatch
import Foundation
package import HoldfastTrust

/// The external dependencies of the chat. Tests and demonstrations replace parts of it.
package struct ChatEnvironment: Sendable {
    /// The clock, with its only timer.
    package var clock: any ChatClock = SystemChatClock()
    /// Returns random bits.
    package var entropy: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    /// Returns a new identifier.
    package var identifier: @Sendable () -> String = { UUID().uuidString.lowercased() }
    /// The time for trust decisions.
    package var trustClock = TrustClock.system
    /// The roots of the system's verification.
    package var anchors = TrustAnchors.system
    /// Addresses to connect to in place of hosts.
    package var hostOverrides: [String: String] = [:]
    /// Asks the system to let the process run for the given number of milliseconds in the background; `nil` ends the
    /// request.
    package var holdProcess: @Sendable (Int64?) -> Void = ProcessHold.ofTheSystem()
    /// Creates the observer of the device's network path.
    package var makePathMonitor: @Sendable () -> any ChatPathMonitor = { SystemPathMonitor.make() }
    /// Runs work shortly after the SDK was created, on another thread, because an app reads other files when it starts.
    package var afterStart: @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(2), execute: work)
    }
    /// Creates an executor with the given name. The chat has three: for the core, for reading the store, and for
    /// callbacks of the app.
    package var makeExecutor: @Sendable (String) -> any ChatExecutor = { QueueExecutor($0) }
    /// Creates a network in place of the real one. The parameter receives its events.
    package var makeNetwork: (@Sendable (@escaping @Sendable (NetworkEvent) -> Void) -> any ChatNetwork)?
    /// The core's settings, in place of those from the app's configuration and this device.
    package var settings: ChatSettings?
    /// Returns the push token of this device.
    package var deviceToken: @Sendable () -> String? = { DeviceToken.current }
    /// Requests a token, in place of the app's provider. The result may arrive at any time, on any thread.
    package var askForToken: (@Sendable (TokenAttempt, _ answer: @escaping @Sendable (ChatAuth?) -> Void) -> Void)?
    /// Observes the driver.
    package var watch: (any ChatDriverWatch)?

    /// Creates the environment of an app.
    package init() {}
}

/// Observes each step of a driver and can prevent it. A simulation uses it to make the disk full, or to end the process
/// between any two steps. Apps do not use it.
package protocol ChatDriverWatch: Sendable {
    /// Called after the core has handled an event, before any effect is carried out.
    func handled(_ event: ChatEvent, _ effects: [ChatEffect], _ core: ChatCore)
    /// Called before a transaction is committed. Returns whether to commit it; throws to make the commit fail.
    func willCommit(_ transaction: StoreTransaction) throws(StoreFailure) -> Bool
    /// Called after a transaction was committed. In a group, it is on disk only when the group ends.
    func didCommit(_ transaction: StoreTransaction)
    /// Called when a group begins: the following commits become one.
    func groupBegins()
    /// Called before the commits of a group are written to disk as one. Throws to roll all of them back.
    func willCommitGroup() throws(StoreFailure)
    /// Called when a group is on disk or was rolled back. After a rollback its events are handled again, one by one.
    func groupEnded(isKept: Bool)
    /// Returns how often an effect is carried out: once, or zero times if the process has ended.
    func repetitions(of effect: ChatEffect) -> Int
}
