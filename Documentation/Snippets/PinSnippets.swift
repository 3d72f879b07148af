import Foundation
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/pin.md.
struct PinSnippets {
    func sample1() async throws {
        let policy = try PinningPolicy(
            name: "api.example.com",
            rules: [
                PinningRule(
                    HostPattern("api.example.com"),
                    keys: [
                        SPKIDigest("sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc="),  // current
                        SPKIDigest("sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI="),  // backup
                    ])
            ])
    }
}
