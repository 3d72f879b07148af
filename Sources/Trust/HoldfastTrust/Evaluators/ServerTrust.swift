#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The chain that a server presented, handed to an evaluator.
///
/// It carries no policy, no anchors and no time: nothing in it can weaken an evaluation.
public struct ServerTrust: Hashable, Sendable {
    /// What the server sent.
    public let presented: PresentedChain

    /// Wraps what a server sent.
    public init(_ presented: PresentedChain) {
        self.presented = presented
    }

    /// Makes a trust object from DER certificates, the server's own first, for a connection that something else opened.
    ///
    /// Never fails: certificates that cannot be parsed are kept as such, and an evaluation says so.
    public init(derCertificates: [Data]) {
        self.presented = PresentedChain(der: derCertificates.map(Array.init))
    }
}
