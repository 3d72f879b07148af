import Foundation
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Trust/HoldfastTrust/Documentation.docc/Certificate-Transparency.md.
struct TransparencySnippets {
    func sample1(pins: PublicKeyPinningEvaluator, holder: TransparencyLogHolder) async throws {
        let evaluator = CertificateTransparencyEvaluator(.chrome)
        let trust = TrustContext.evaluators(
            ["example.com": CompositeEvaluator.all([pins, evaluator])], logs: holder)
    }

    func sample2(bytes: [UInt8], policy: PinningPolicy) async throws {
        let list = try TransparencyLogList(json: bytes)
        let holder = TransparencyLogHolder(TransparencyLogs(list))
        let trust = TrustContext.policy(policy, logs: holder)
    }
}
