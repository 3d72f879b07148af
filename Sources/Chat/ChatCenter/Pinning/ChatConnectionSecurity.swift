/// What decides whether a server is trusted.
public enum ChatConnectionSecurity: Hashable, Sendable, CustomStringConvertible {
    /// The system's verification.
    case systemTrust
    /// The keys of so many listed certificates, in place of the system's verification.
    case pinnedKeys(certificates: Int)
    /// A policy's pins beside the system's verification. `isReportOnly` says that no rule of the policy refuses a key:
    /// mismatches are logged and reported.
    case policy(name: String, isReportOnly: Bool)
    /// Nothing: any server is accepted, an attacker too. See ``SSLPinningConfig/allowUntrustedSSLCertificate``.
    case unverified
    /// No connection is opened: certificates are listed, and none of them can be read.
    case refusesEverything

    public var description: String {
        switch self {
        case .systemTrust: "system trust"
        case .pinnedKeys(let count): "pinned keys of \(count) certificate\(count == 1 ? "" : "s")"
        case .policy(let name, let isReportOnly):
            "system trust and the pins of the policy “\(name)”" + (isReportOnly ? ", report-only" : "")
        case .unverified: "NOT VERIFIED: any certificate is accepted"
        case .refusesEverything: "no usable certificate is listed: every connection is refused"
        }
    }
}
