import HoldfastTestSupport
import HoldfastTrust

/// A root, a server certificate for example.com, and the verification of this chain.
struct World {
    let root: Identity
    let leaf: Identity

    init() throws {
        let factory = CertificateFactory()
        root = try factory.authority("Root")
        leaf = try factory.leaf(["example.com"], signedBy: root)
    }

    /// Returns whether a document's policy accepts the server.
    func allows(_ document: PolicyDocument) throws -> Bool {
        let context = TrustContext.policy(try document.policy(), anchors: .only([root.view]))
        let host = try CanonicalHost("example.com")
        guard
            case .now(let verdict) = context.judge(
                PresentedChain(der: leaf.chain), for: TrustSubject(host: host), at: CertificateFactory.referenceTime)
        else { return false }
        return verdict.permitsConnection
    }
}
