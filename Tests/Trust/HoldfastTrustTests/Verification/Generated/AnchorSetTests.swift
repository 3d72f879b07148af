import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Random chains of authorities, of which some are anchors and some are sent. A pin counts at every position of a valid
/// path, and a valid path may pass through anchors.
@Suite("Generated sets of anchors")
struct AnchorSetTests {
    /// The place where a verifier finds an authority of the chain.
    enum Place: CaseIterable {
        case nowhere, sent, anchor, both

        var isAnchor: Bool { self == .anchor || self == .both }
        var isSent: Bool { self == .sent || self == .both }
    }

    let scene = TrustScene()

    /// Returns a server's certificate and `height` authorities above it, the root last.
    private func tower(_ height: Int) throws -> (leaf: Identity, authorities: [Identity]) {
        var above: Identity?
        var authorities: [Identity] = []
        for level in 0..<height {
            let options = CertificateOptions(key: try .shared(.p256, "anchor set \(level)"))
            let made =
                try above.map { try scene.factory.intermediate("Level \(level)", signedBy: $0, options) }
                ?? scene.factory.authority("Level \(level)", options)
            authorities.insert(made, at: 0)
            above = made
        }
        let leaf = try scene.factory.leaf(
            [TrustScene.host], signedBy: above, .init(key: .shared(.p256, "anchor set leaf")))
        return (leaf, authorities)
    }

    /// Returns the number of authorities, counted from the leaf, that are part of a valid path. The search continues
    /// while it finds the next authority, and the path must end in an anchor.
    private func reach(_ places: [Place]) -> Int {
        let climbed = places.prefix { $0 != .nowhere }
        return climbed.lastIndex(where: \.isAnchor).map { $0 + 1 } ?? 0
    }

    @Test("finds a pin at every position of a valid path", arguments: 0..<120)
    func pins(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let (leaf, authorities) = try tower(Int.random(in: 1...6, using: &random))
        let places = authorities.map { _ in Place.allCases.randomElement(using: &random) ?? .sent }
        let known = zip(authorities, places)
        let sent = known.filter { $1.isSent }.map(\.0).shuffled(using: &random)
        let anchors = known.filter { $1.isAnchor }.map(\.0).shuffled(using: &random)
        let stranger = try scene.factory.authority("Stranger", .init(key: .shared(.p256, "anchor set stranger")))
        let reach = reach(places)
        for (level, authority) in authorities.enumerated() {
            let verdict = try scene.pinned(
                [leaf] + sent, anchors: anchors + [stranger], under: scene.policy([Pin(authority)]))
            #expect((verdict.decision == .allow) == (level < reach), "\(places), pin \(level): \(verdict)")
            if level < reach { #expect(verdict.path?.certificates.contains(authority.view) == true) }
        }
        // Without a pin, the shortest path is sufficient.
        let plain = try scene.system([leaf] + sent, anchors: anchors + [stranger])
        #expect((plain.decision == .allow) == (reach > 0))
        if reach > 0 {
            #expect(plain.path?.certificates.count == (places.firstIndex(where: \.isAnchor) ?? 0) + 2)
        }
    }

    @Test("finds a pinned root above an intermediate that is an anchor, sent or not")
    func rootAboveAnchoredIntermediate() throws {
        let (leaf, authorities) = try tower(3)
        let (issuing, upper, root) = (authorities[0], authorities[1], authorities[2])
        for sent in [[issuing, upper], [issuing], [], [upper]] {
            let verdict = try scene.pinned(
                [leaf] + sent, anchors: [issuing, upper, root], under: scene.policy([Pin(root)]))
            #expect(verdict.finding.code == .pinMatched)
            #expect(verdict.path?.certificates == [leaf.view, issuing.view, upper.view, root.view])
        }
        // An authority that is neither an anchor nor sent cannot be part of a path.
        let gap = try scene.pinned([leaf], anchors: [issuing, root], under: scene.policy([Pin(root)]))
        expectOnly(.pinMismatch, gap)
    }

    @Test(
        "an anchor in the middle of a path must have a valid signature and meet the limits of the authorities above it")
    func chainsThroughAnchors() throws {
        let root = try scene.factory.authority("Root", .init(pathLength: 0))
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        #expect(try scene.system([leaf], anchors: [issuing, root]).decision == .allow)
        expectOnly(
            .pinMismatch, try scene.pinned([leaf], anchors: [issuing, root], under: scene.policy([Pin(root)])))
        let forger = try Key()
        let forged = try scene.factory.intermediate(
            "Forged", signedBy: scene.factory.authority("Root", .init(key: root.key)),
            .with { $0.signingKey = forger })
        let below = try scene.factory.leaf([TrustScene.host], signedBy: forged)
        let open = try scene.factory.authority("Root", .init(key: root.key))
        expectOnly(
            .pinMismatch, try scene.pinned([below], anchors: [forged, open], under: scene.policy([Pin(open)])))
    }

    @Test("a denied root above an anchored intermediate does not refuse the path that ends below it")
    func deniedRoot() throws {
        let (leaf, authorities) = try tower(2)
        let verdict = try scene.pinned(
            [leaf], anchors: authorities, under: scene.policy([Pin(authorities[0])], denied: [Pin(authorities[1])]))
        #expect(verdict.decision == .allow)
        #expect(verdict.path?.certificates.last == authorities[0].view)
    }

    @Test("a path through anchors has the same maximum length")
    func length() throws {
        for (height, isAllowed) in [(11, true), (12, false)] {
            let (leaf, authorities) = try tower(height)
            let root = try #require(authorities.last)
            let verdict = try scene.pinned([leaf], anchors: authorities, under: scene.policy([Pin(root)]))
            #expect((verdict.decision == .allow) == isAllowed, "\(height): \(verdict)")
        }
    }
}
