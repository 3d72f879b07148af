/// What belongs to an app's Info.plist beside pins.
enum InfoList {
    /// Whether a key is one of the system's, and not a mistake in a configuration.
    static func owns(_ key: String) -> Bool {
        ["CF", "NS", "UI", "LS", "DT", "BuildMachine", "MinimumOS", "IT", "AppIdentifier"].contains {
            key.hasPrefix($0)
        }
    }
}
