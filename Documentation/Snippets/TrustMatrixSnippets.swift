import Foundation
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/trust-matrix.md.
struct TrustMatrixSnippets {
    func sample1(policy: PinningPolicy) async throws {
        let evaluator = RevocationEvaluator(
            lists: HTTPRevocationListRequester(allowsPlainHTTP: true), ocsp: HTTPOCSPRequester(allowsPlainHTTP: true),
            options: RevocationOptions(failure: .hard))
        let trust = TrustContext.policy(policy).checkingRevocation(with: evaluator)
    }
}
