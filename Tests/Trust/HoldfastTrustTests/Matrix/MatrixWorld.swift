import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust

/// A server key, and chains with this key that each fail one check.
struct MatrixWorld {
    let scene = TrustScene()
    let root: Identity
    let key: Key

    let sound: Identity
    let expired: Identity
    let otherHost: Identity
    let clientOnly: Identity
    let strangers: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        key = try Key()
        let stranger = try scene.factory.authority("Stranger")
        sound = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(key: key))
        expired = try scene.factory.leaf(
            [TrustScene.host], signedBy: root, .init(key: key, notAfter: scene.now.advanced(bySeconds: -1)))
        otherHost = try scene.factory.leaf(["other.example.com"], signedBy: root, .init(key: key))
        clientOnly = try scene.factory.leaf(
            [TrustScene.host], signedBy: root, .init(key: key, extendedKeyUsages: [.clientAuth]))
        strangers = try scene.factory.leaf([TrustScene.host], signedBy: stranger, .init(key: key))
    }

    var anchors: TrustAnchors { scene.anchors([root]) }
    /// A pin that matches no key.
    var nobody: Pin { Pin(SPKIDigest(hashing: [0])) }
    var serverPin: Pin { Pin(key.spkiDigest) }

    /// Returns a context with a policy that has one rule for the host.
    func policy(
        _ pin: Pin, denied: [Pin] = [], local: LocalAnchors? = nil, change: (inout PinningRule) -> Void = { _ in }
    ) throws -> TrustContext {
        var rule = PinningRule(host: try CanonicalHost(TrustScene.host), pins: PinSet([pin]))
        change(&rule)
        return .policy(
            try PinningPolicy(
                name: "matrix", rules: [rule], denied: denied, anchors: local, backupPins: .off),
            anchors: local == nil ? anchors : .only([]))
    }

    func evaluators(_ evaluator: any ServerTrustEvaluator, host: String = TrustScene.host) -> TrustContext {
        .evaluators([host: evaluator], anchors: anchors)
    }

    func keyPins(_ pin: Pin) -> PublicKeyPinningEvaluator {
        PublicKeyPinningEvaluator(pinnedKeyHashes: [Data(pin.bytes)])
    }

    func verdict(_ context: TrustContext, _ leaf: Identity) async throws -> TrustVerdict {
        await context.judge(scene.chain([leaf]), for: try scene.subject(), at: scene.now).verdict()
    }
}
