import HoldfastTrust

/// Describes what a format can express.
struct FormatCapabilities: Sendable {
    /// How the format writes the expiry of pins.
    enum Expiry: Sendable { case never, dayInUTC, localDay, age }
    /// Which hosts the format can exclude.
    enum Exclusion: Sendable { case none, exactHost, any }

    var depths: [HostPattern.Depth] = [.exact, .apexAndAnyDepth]
    var scopes: Set<Pin.Scope> = [.any]
    var precedence: RulePrecedence? = .mostSpecific
    var expiry: Expiry = .never
    var reportsOnly = false
    var reportURIs = 0
    var exclusion: Exclusion = .none
    var denies = false
    var refuses = false
    var isForOneHost = false
    /// Whether the format allows only one entry for each host.
    var isKeyedByHost = true
    /// The number of pins that the format requires for an enforced rule.
    var neededPins = 1

    /// Returns the capabilities of a foreign format. Not called for Holdfast's own format, which can express
    /// everything.
    static func of(_ format: PolicyFormat) -> FormatCapabilities {
        switch format {
        case .holdfast: FormatCapabilities()
        case .trustKit:
            FormatCapabilities(
                expiry: .dayInUTC, reportsOnly: true, reportURIs: .max, exclusion: .exactHost, neededPins: 2)
        case .pinnedDomains:
            FormatCapabilities(
                depths: [.exact, .apexAndOneLabel], scopes: [.leaf, .ca], precedence: .union, refuses: true)
        case .android:
            FormatCapabilities(expiry: .localDay, reportsOnly: true, reportURIs: .max, exclusion: .any)
        case .okHttp:
            FormatCapabilities(
                depths: [.exact, .oneLabel, .apexAndAnyDepth], precedence: .union, isKeyedByHost: false)
        case .hpkp:
            FormatCapabilities(
                precedence: nil, expiry: .age, reportsOnly: true, reportURIs: 1, exclusion: .any, isForOneHost: true,
                neededPins: 2)
        case .chromium: FormatCapabilities(reportURIs: 1, exclusion: .any, denies: true)
        case .curl:
            FormatCapabilities(depths: [.exact], scopes: [.leaf], precedence: nil, isForOneHost: true)
        }
    }
}
