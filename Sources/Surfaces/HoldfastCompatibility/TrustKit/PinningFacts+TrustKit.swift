import Foundation
import HoldfastTrust

extension PinningFacts {
    /// The settings of a domain with TrustKit's keys.
    var trustKitSettings: [String: Any] {
        var settings: [String: Any] = [
            kTSKPublicKeyHashes: pins.sorted.map(\.digest.base64),
            kTSKEnforcePinning: enforcement == .enforce,
            kTSKIncludeSubdomains: includesSubdomains,
            kTSKReportUris: reportURIs,
        ]
        if let expires {
            settings[kTSKExpirationDate] = Date(timeIntervalSince1970: Double(expires.secondsSince1970))
        }
        return settings
    }
}
