#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Runs system verification, then requires that a key of the verified path has one of the pinned hashes.
///
/// A hash is the SHA-256 of the SubjectPublicKeyInfo (as openssl and other pinning libraries print it) or of the bare
/// key (as GentleNetworking computes it). Both are recognized, and the verdict names the form that matched. If the set
/// is empty or contains anything other than 32-byte hashes, every server is refused, with a reason that says so.
public struct PublicKeyPinningEvaluator: VerdictEvaluator {
    /// The pinned hashes.
    public let pinnedKeyHashes: Set<Data>
    private let anchors: TrustAnchors?
    private let clock: TrustClock
    private let pins: PinSet?

    /// Creates an evaluator. Paths end at the system's roots, or at the anchors of the context that uses the evaluator.
    public init(pinnedKeyHashes: Set<Data>) {
        self.init(pinnedKeyHashes: pinnedKeyHashes, anchors: nil)
    }

    /// Creates an evaluator from keys as printed by `holdfast pin` and read by ``SPKIDigest/init(_:)``.
    ///
    /// Without `anchors`, paths end at the system's roots or at the anchors of the context that uses the evaluator.
    public init(keys: some Sequence<SPKIDigest>, anchors: TrustAnchors? = nil, clock: TrustClock = .system) {
        self.init(pinnedKeyHashes: Set(keys.map(\.data)), anchors: anchors, clock: clock)
    }

    /// Creates an evaluator with its own anchors.
    public init(pinnedKeyHashes: Set<Data>, anchors: TrustAnchors?, clock: TrustClock = .system) {
        self.pinnedKeyHashes = pinnedKeyHashes
        self.anchors = anchors
        self.clock = clock
        let hashes = pinnedKeyHashes.compactMap { SHA256Hash(bytes: $0) }
        let isUsable = !hashes.isEmpty && hashes.count == pinnedKeyHashes.count
        pins = isUsable ? PinSet(hashes.flatMap { [Pin($0, domain: .spki), Pin($0, domain: .rawKey)] }) : nil
    }

    /// Returns if the chain is valid for the host and a pinned key is on the verified path.
    ///
    /// - Throws: ``TrustRefusal`` otherwise.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluate(trust, host: host, anchors: anchors, clock: clock)
    }

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, by engine: TrustEngine
    ) -> TrustVerdict {
        guard let pins else {
            let reason =
                pinnedKeyHashes.isEmpty
                ? "The set of pinned key hashes is empty, so no server is trusted."
                : "A pinned key hash does not have 32 bytes, so no server is trusted."
            return .unusable(reason, chain, subject, time, name: PublicKeyPinningEvaluator.name)
        }
        return engine.with(anchors: anchors).evaluate(
            chain, for: subject, at: time, pins: pins, named: PublicKeyPinningEvaluator.name)
    }

    private static let name = "pinned public keys"
}
