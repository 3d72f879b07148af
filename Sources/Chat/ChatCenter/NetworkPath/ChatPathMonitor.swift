package import ChatCenterCore

/// Observes the device's network path. Tests use their own implementation.
package protocol ChatPathMonitor: Sendable {
    /// Starts to observe. `sink` receives the current path soon, then each change. Calls are serial, on any thread. A
    /// second call replaces the first.
    func start(_ sink: @escaping @Sendable (NetworkPath) -> Void)

    /// Stops observing. No new call starts afterwards; a call in progress may still run.
    func stop()
}

/// The platform's monitor: `NWPathMonitor` on Apple platforms, elsewhere a check of the interfaces every few seconds.
package enum SystemPathMonitor {
    /// Creates a monitor that is not started.
    package static func make() -> any ChatPathMonitor {
        #if canImport(Network)
        NetworkFrameworkPathMonitor()
        #else
        PollingPathMonitor()
        #endif
    }
}
