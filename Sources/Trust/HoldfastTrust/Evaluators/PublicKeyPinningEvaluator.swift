#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// System verification, then a pinned public key: one key of the verified path must have one of the hashes.
///
/// A hash is the SHA-256 of the SubjectPublicKeyInfo (what openssl and every other pinning library print) or of the
/// key alone (what GentleNetworking hashes); both are recognised, and the verdict says which matched. A set that is
/// empty or holds anything but 32-byte hashes refuses every server, with that reason.
public struct PublicKeyPinningEvaluator: VerdictEvaluator {
    /// The hashes given.
    public let pinnedKeyHashes: Set<Data>
    private let anchors: TrustAnchors?
    private let clock: TrustClock
    private let pins: PinSet?

    /// Pins keys. Paths end in the machine's roots, or in the anchors of the context that the evaluator is used in.
    public init(pinnedKeyHashes: Set<Data>) {
        self.init(pinnedKeyHashes: pinnedKeyHashes, anchors: nil)
    }

    /// Pins keys as `holdfast pin` prints them, read by ``SPKIDigest/init(_:)``. Without `anchors`, paths end in the machine's roots
    /// or in the anchors of the context that the evaluator is used in.
    public init(keys: some Sequence<SPKIDigest>, anchors: TrustAnchors? = nil, clock: TrustClock = .system) {
        self.init(pinnedKeyHashes: Set(keys.map(\.data)), anchors: anchors, clock: clock)
    }

    /// Pins keys, with anchors of its own.
    public init(pinnedKeyHashes: Set<Data>, anchors: TrustAnchors?, clock: TrustClock = .system) {
        self.pinnedKeyHashes = pinnedKeyHashes
        self.anchors = anchors
        self.clock = clock
        let hashes = pinnedKeyHashes.compactMap { SHA256Hash(bytes: $0) }
        let isUsable = !hashes.isEmpty && hashes.count == pinnedKeyHashes.count
        pins = isUsable ? PinSet(hashes.flatMap { [Pin($0, domain: .spki), Pin($0, domain: .rawKey)] }) : nil
    }

    /// Returns if the chain is valid for the host and a pinned key is on its verified path; else throws
    /// ``TrustRefusal``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluate(trust, host: host, anchors: anchors, clock: clock)
    }

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict {
        guard let pins else {
            let reason =
                pinnedKeyHashes.isEmpty
                ? "The set of pinned key hashes is empty, so no server is trusted."
                : "A pinned key hash does not have 32 bytes, so no server is trusted."
            return .unusable(reason, chain, subject, time, name: PublicKeyPinningEvaluator.name)
        }
        return TrustEngine(anchors: self.anchors ?? anchors).evaluate(
            chain, for: subject, at: time, pins: pins, named: PublicKeyPinningEvaluator.name)
    }

    private static let name = "pinned public keys"
}
