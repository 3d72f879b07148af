import Foundation
import HoldfastCompatibility
import HoldfastTestSupport

/// A host with a certificate of an authority, a server with a different key, and a self-signed server.
struct CompatibilityScene {
    static let host = "api.example.com"
    let factory = CertificateFactory()
    let root: Identity
    let intermediate: Identity
    let leaf: Identity
    let other: Identity
    let selfSigned: Identity

    init() throws {
        root = try factory.authority("Root")
        intermediate = try factory.intermediate("Intermediate", signedBy: root)
        leaf = try factory.leaf([Self.host], signedBy: intermediate)
        other = try factory.leaf([Self.host], signedBy: root)
        selfSigned = try factory.leaf([Self.host], signedBy: nil)
    }

    var anchors: TrustAnchors { .only([root.view]) }
    var clock: TrustClock { .fixed(factory.now) }

    func trust(_ identity: Identity) -> ServerTrust { ServerTrust(PresentedChain(der: identity.chain)) }

    /// A chain with an additional certificate that no other certificate links to.
    func trust(_ identity: Identity, smuggling certificate: Identity) -> ServerTrust {
        ServerTrust(PresentedChain(der: identity.chain + [certificate.certificateDER]))
    }

    /// The pin of a key that the servers do not have.
    static let backup = SPKIDigest(hashing: Array("a key in a safe".utf8)).base64
}
