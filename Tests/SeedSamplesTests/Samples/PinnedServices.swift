import Crypto
import Foundation
import HoldfastNetworking
import HoldfastTrust

// The example of seeds/003: evaluators by domain.

func makeServicePinningKeys(primaryHash: Data, backupHash: Data) -> HTTPNetworkService {
    let service = HTTPNetworkService(
        transport: PinningTransport(
            pinnedDomains: [
                "api.example.com": PublicKeyPinningEvaluator(
                    pinnedKeyHashes: [primaryHash, backupHash]
                )
            ]
        )
    )
    return service
}

func makeServicePinningCertificate(_ certificate: Data) -> HTTPNetworkService {
    let service = HTTPNetworkService(
        transport: PinningTransport(
            pinnedDomains: [
                "api.example.com": CertificatePinningEvaluator(
                    pinnedCertificates: [certificate]
                )
            ]
        )
    )
    return service
}

/// An evaluator of the app: refuses a chain that has too many certificates.
struct ShortChainEvaluator: ServerTrustEvaluator {
    struct TooLong: Error {}
    var limit = 1

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard trust.presented.count <= limit else { throw TooLong() }
    }
}

func makeServiceWithOwnEvaluator() -> HTTPNetworkService {
    let service = HTTPNetworkService(
        transport: PinningTransport(
            pinnedDomains: ["api.example.com": ShortChainEvaluator()]
        )
    )
    return service
}
