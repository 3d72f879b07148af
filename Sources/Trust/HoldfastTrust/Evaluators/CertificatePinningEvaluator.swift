#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Runs system verification, then requires that a certificate of the verified path is one of the pinned certificates,
/// byte for byte.
///
/// Every renewal of a certificate breaks such a pin; prefer ``PublicKeyPinningEvaluator``. If the set is empty or
/// contains anything other than DER certificates, every server is refused, with a reason that says so.
public struct CertificatePinningEvaluator: VerdictEvaluator {
    /// The pinned certificates in DER.
    public let pinnedCertificates: Set<Data>
    private let anchors: TrustAnchors?
    private let clock: TrustClock
    private let pins: PinSet
    private let problem: String?

    /// Creates an evaluator. Paths end at the system's roots, or at the anchors of the context that uses the evaluator.
    public init(pinnedCertificates: Set<Data>) {
        self.init(pinnedCertificates: pinnedCertificates, anchors: nil)
    }

    /// Creates an evaluator with its own anchors.
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

    /// Returns if the chain is valid for the host and a pinned certificate is on the verified path.
    ///
    /// - Throws: ``TrustRefusal`` otherwise.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluate(trust, host: host, anchors: anchors, clock: clock)
    }

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, by engine: TrustEngine
    ) -> TrustVerdict {
        if let problem {
            return .unusable(problem, chain, subject, time, name: CertificatePinningEvaluator.name)
        }
        return engine.with(anchors: anchors).evaluate(
            chain, for: subject, at: time, pins: pins, named: CertificatePinningEvaluator.name)
    }

    private static let name = "pinned certificates"
}
