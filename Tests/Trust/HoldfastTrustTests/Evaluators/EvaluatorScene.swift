import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Synchronization
import Testing

/// A private authority that no machine trusts, at a time other than now. An evaluator that uses the machine's roots or
/// clock gives another result than one that uses the context.
struct EvaluatorScene {
    let scene = TrustScene()
    let root: Identity
    let server: Identity
    let stranger: Identity

    init() throws {
        root = try scene.factory.authority("Private root")
        server = try scene.factory.leaf([TrustScene.host], signedBy: root)
        stranger = try scene.factory.leaf([TrustScene.host], signedBy: nil)
    }

    var pinned: PublicKeyPinningEvaluator { keyPins([server.spkiDigest]) }
    var wronglyPinned: PublicKeyPinningEvaluator { keyPins([SPKIDigest(hashing: [1])]) }

    func keyPins(_ digests: [SPKIDigest]) -> PublicKeyPinningEvaluator {
        PublicKeyPinningEvaluator(pinnedKeyHashes: Set(digests.map { Data($0.bytes) }))
    }

    /// Returns a context with one evaluator for the host of the scene.
    func context(_ evaluator: any ServerTrustEvaluator) -> TrustContext {
        .evaluators([TrustScene.host: evaluator], anchors: scene.anchors([root]))
    }

    func judgement(_ evaluator: any ServerTrustEvaluator, _ presented: [Identity]? = nil) throws -> TrustEvaluation {
        context(evaluator).judge(scene.chain(presented ?? [server]), for: try scene.subject(), at: scene.now)
    }

    func verdict(_ evaluator: any ServerTrustEvaluator, _ presented: [Identity]? = nil) async throws -> TrustVerdict {
        try await judgement(evaluator, presented).verdict()
    }

    /// Calls an evaluator outside of a context. Returns `nil` if it accepts the server.
    func refusal(
        _ evaluator: any ServerTrustEvaluator, _ presented: [Identity]? = nil, host: String = TrustScene.host
    ) async -> TrustRefusal? {
        do {
            try await evaluator.evaluate(ServerTrust(scene.chain(presented ?? [server])), forHost: host)
            return nil
        } catch {
            return error as? TrustRefusal
        }
    }
}

/// A thread-safe counter of calls.
final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func increase() { count.withLock { $0 += 1 } }
}
