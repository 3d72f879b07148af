import Foundation
import HoldfastCompatibility
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Surfaces/HoldfastCompatibility/Documentation.docc/Compatibility.md.
struct CompatibilitySnippets {
    func sample1(current: String, backup: String) async throws {
        TrustKit.initSharedInstance(withConfiguration: [
            kTSKPinnedDomains: ["example.com": [kTSKPublicKeyHashes: [current, backup], kTSKIncludeSubdomains: true]]
        ])
    }

    func sample2() async throws {
        let configuration = Bundle.main.object(forInfoDictionaryKey: "TSKConfiguration") as? [String: Any]
        TrustKit.initSharedInstance(withConfiguration: configuration ?? [:])    // a missing dictionary refuses every connection
    }

    func sample3(keys: [PublicKeyInfo]) async throws {
        let manager = ServerTrustManager(evaluators: ["api.example.com": PublicKeysTrustEvaluator(keys: keys)])
        let transport = HTTPClientTransport(configuration: TransportConfiguration(trust: .serverTrustManager(manager)))
    }

    func sample4(delegate: any URLSessionDelegate, session: URLSession, policy: PinningPolicy) async throws {
        let trust = TrustContext.delegate(delegate, of: session, policy: policy)
        let transport = HTTPClientTransport(configuration: TransportConfiguration(trust: trust))
    }
}
