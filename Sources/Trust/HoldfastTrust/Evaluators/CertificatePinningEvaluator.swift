#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// System verification, then a pinned certificate: one certificate of the verified path must be among them, byte for
/// byte. Simple, and broken by every renewal; prefer ``PublicKeyPinningEvaluator``.
///
/// A set that is empty, or holds anything but DER certificates, refuses every server, with that reason.
public struct CertificatePinningEvaluator: VerdictEvaluator {
    /// The DER certificates given.
    public let pinnedCertificates: Set<Data>
    private let anchors: TrustAnchors?
    private let clock: TrustClock
    private let pins: PinSet
    private let problem: String?

    /// Pins certificates. Paths end in the machine's roots, or in the anchors of the context that the evaluator is
    /// used in.
    public init(pinnedCertificates: Set<Data>) {
        self.init(pinnedCertificates: pinnedCertificates, anchors: nil)
    }

    /// Pins certificates, with anchors of its own.
    public init(pinnedCertificates: Set<Data>, anchors: TrustAnchors?, clock: TrustClock = .system) {
        self.pinnedCertificates = pinnedCertificates
        self.anchors = anchors
        self.clock = clock
        var pins: [Pin] = []
        var problem = pinnedCertificates.isEmpty ? "The set of pinned certificates is empty" : nil
        for data in pinnedCertificates {
            do throws(CertificateError) {
                pins.append(Pin(try CertificateView(der: Array(data)).certificateDigest))
            } catch {
                problem = "A pinned certificate cannot be read (\(error.reason))"
            }
        }
        self.pins = PinSet(pins)
        self.problem = problem.map { $0 + ", so no server is trusted." }
    }

    /// Returns if the chain is valid for the host and a pinned certificate is on its verified path; else throws
    /// ``TrustRefusal``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluate(trust, host: host, anchors: anchors, clock: clock)
    }

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict {
        if let problem {
            return .unusable(problem, chain, subject, time, name: CertificatePinningEvaluator.name)
        }
        return TrustEngine(anchors: self.anchors ?? anchors).evaluate(
            chain, for: subject, at: time, pins: pins, named: CertificatePinningEvaluator.name)
    }

    private static let name = "pinned certificates"
}
