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
