package import ChatCenterCore

/// Watches the device's way to the network. Tests hand in one that says what they like.
package protocol ChatPathMonitor: Sendable {
    /// Begins to watch: `sink` gets the current path soon, then each other one, one call at a time, on any thread. A
    /// second call replaces the first.
    func start(_ sink: @escaping @Sendable (NetworkPath) -> Void)

    /// Ends the watch: no call begins after it. What was called already may still run.
    func stop()
}

/// The platform's monitor: `NWPathMonitor` on Apple platforms, elsewhere a look at the interfaces every few seconds.
package enum SystemPathMonitor {
    /// A monitor that watches nothing yet.
    package static func make() -> any ChatPathMonitor {
        #if canImport(Network)
        NetworkFrameworkPathMonitor()
        #else
        PollingPathMonitor()
        #endif
    }
}
