import HoldfastTrust

/// What a format can express.
struct FormatCapabilities: Sendable {
    /// How the end of pins is written.
    enum Expiry: Sendable { case never, dayInUTC, localDay, age }
    /// Which hosts can be left out.
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
    /// Whether a host can have one entry alone.
    var isKeyedByHost = true
    /// How many pins the format asks for while enforcing.
    var neededPins = 1

    /// What a foreign format can express. Holdfast's own can express everything, and is never asked.
    static func of(_ format: PolicyFormat) -> FormatCapabilities {
        var result = FormatCapabilities()
        switch format {
        case .holdfast: break
        case .trustKit:
            result.expiry = .dayInUTC
            result.reportsOnly = true
            result.reportURIs = .max
            result.exclusion = .exactHost
            result.neededPins = 2
        case .pinnedDomains:
            result.depths = [.exact, .apexAndOneLabel]
            result.scopes = [.leaf, .ca]
            result.precedence = .union
            result.refuses = true
        case .android:
            result.expiry = .localDay
            result.reportsOnly = true
            result.reportURIs = .max
            result.exclusion = .any
        case .okHttp:
            result.depths = [.exact, .oneLabel, .apexAndAnyDepth]
            result.precedence = .union
            result.isKeyedByHost = false
        case .hpkp:
            result.precedence = nil
            result.expiry = .age
            result.reportsOnly = true
            result.reportURIs = 1
            result.exclusion = .any
            result.isForOneHost = true
            result.neededPins = 2
        case .chromium:
            result.reportURIs = 1
            result.exclusion = .any
            result.denies = true
        case .curl:
            result.depths = [.exact]
            result.scopes = [.leaf]
            result.precedence = nil
            result.isForOneHost = true
        }
        return result
    }
}
