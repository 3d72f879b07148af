import ChatCenter
import Foundation
import HoldfastNetworking
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/rotation.md.
struct RotationSnippets {
    func sample1() async throws {
        let keys = try [
            SPKIDigest("sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc="),  // current
            SPKIDigest("sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI="),  // next
        ]
        let transport = PinningTransport(pinnedDomains: ["api.example.com": PublicKeyPinningEvaluator(keys: keys)])
    }

    func sample2(config: inout ChatConfig) async throws {
        config.networkConfig.sslPinning = try SSLPinningConfig(requiring: [
            ChatSSLCertificate(resource: "current", withExtension: "cer"),
            ChatSSLCertificate(resource: "next", withExtension: "cer"),
        ])
    }
}
