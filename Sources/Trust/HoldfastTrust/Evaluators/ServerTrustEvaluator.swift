#if canImport(Security)
public import Security
#endif

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decides about one server. Returning accepts it, throwing refuses it.
///
/// The host arrives in canonical form. An evaluator that a transport calls runs *after* the system verification has
/// accepted the chain: it may refuse what the system accepts, and never the other way round. To replace the system
/// verification, wrap it in ``DangerouslyReplacingSystemTrust``. A call that does not end within the connection's TLS
/// deadline refuses the server. Evaluators of Holdfast's own that a custom one calls judge by the anchors and the time
/// of the context that asked.
public protocol ServerTrustEvaluator: Sendable {
    /// Returns if the server may be talked to, throws if not. Called from any thread.
    func evaluate(_ trust: ServerTrust, forHost host: String) async throws

    #if canImport(Security)
    /// The same about a `SecTrust`: the requirement of ``SecTrustEvaluator``. An evaluator implements one of the two.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
    #endif
}

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

/// A custom evaluator in a closure: throwing refuses the server.
///
/// Like every custom evaluator it is asked after the system verification has accepted the chain, and can only refuse.
public struct ClosureEvaluator: ServerTrustEvaluator {
    private let body: @Sendable (ServerTrust, String) async throws -> Void

    /// Wraps a closure. It is called from any thread; the host arrives in canonical form.
    public init(_ body: @escaping @Sendable (_ trust: ServerTrust, _ host: String) async throws -> Void) {
        self.body = body
    }

    /// Asks the closure.
    public func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        try await body(trust, host)
    }
}

/// A server was refused. The verdict says why.
public struct TrustRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole verdict.
    public var verdict: TrustVerdict

    /// Wraps a verdict.
    public init(_ verdict: TrustVerdict) {
        self.verdict = verdict
    }

    public var description: String { verdict.description }
}
