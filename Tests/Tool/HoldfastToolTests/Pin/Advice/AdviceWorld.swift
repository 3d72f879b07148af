import HoldfastTestSupport
import HoldfastTrust

@testable import HoldfastTool

/// A server's certificates for tests of the advice.
struct AdviceWorld {
    let factory = CertificateFactory()
    let root: Identity
    let intermediate: Identity
    let leaf: Identity

    init() throws {
        root = try factory.authority("Root")
        intermediate = try factory.intermediate("Intermediate", signedBy: root)
        leaf = try factory.leaf(["api.example"], signedBy: intermediate)
    }

    /// A key that is not in any chain.
    func backup(_ source: String = "backup.pem", kind: KeyKind = .p256) throws -> PinAdvice.Key {
        let key = try factory.leaf(["api.example"], signedBy: nil, CertificateOptions(keyKind: kind))
        return PinAdvice.Key(source: source, key: PublicKeyInfo(key.view))
    }

    /// Verifies a chain.
    func chain(
        _ presented: [Identity], anchors: [Identity]? = nil, source: String = "chain.pem", isServer: Bool = false
    ) -> PinAdvice.Chain {
        let anchors = (anchors ?? [root]).map(\.view)
        let chain = PresentedChain(presented.map(\.view))
        return PinAdvice.Chain(
            source: source, isServer: isServer, presented: chain,
            paths: PinPaths(
                chain, host: CanonicalHost.sample, engine: TrustEngine(anchors: .only(anchors)), roots: anchors,
                at: CertificateFactory.referenceTime))
    }

    /// Returns advice.
    func advice(
        _ chains: [PinAdvice.Chain], backups: [PinAdvice.Key] = [], denied: [Pin] = [], publicRoots: [Identity] = []
    ) -> PinAdvice {
        PinAdvice(
            for: HostPattern(.sample), chains: chains, backups: backups, denied: PinSet(denied),
            publicRoots: Set(publicRoots.map(\.view)))
    }
}

extension CanonicalHost {
    /// The host of the tests.
    static var sample: CanonicalHost {
        do throws(HostError) { return try CanonicalHost("api.example") } catch { fatalError(error.reason) }
    }
}

extension PinAdvice {
    /// The codes of the notes.
    var codes: Set<Note.Code> { Set(notes.map(\.code)) }

    /// The key of a certificate.
    func key(of identity: Identity) -> AdvisedKey? { keys.first { $0.key.digest == identity.spkiDigest } }
}
