import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Loops and self-issued certificates")
struct LoopTests {
    let scene = TrustScene()

    @Test("two authorities that certify each other lead nowhere, and that is found out")
    func circle() throws {
        let first = try scene.factory.authority("First")
        let second = try scene.factory.authority("Second")
        let firstBySecond = try scene.factory.intermediate("First", signedBy: second, .init(key: first.key))
        let secondByFirst = try scene.factory.intermediate("Second", signedBy: first, .init(key: second.key))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: first)
        let root = try scene.factory.authority("Root")
        let circle = [leaf, firstBySecond, secondByFirst, first, second]
        expectOnly(.unknownIssuer, try scene.system(circle, anchors: [root]))
        // One way out of the circle is enough.
        let exit = try scene.factory.intermediate("Second", signedBy: root, .init(key: second.key))
        let verdict = try scene.system(circle + [exit], anchors: [root])
        #expect(verdict.pathNames == [TrustScene.host, "First", "Second", "Root"])
    }

    @Test("a self-signed certificate in the middle is passed by")
    func selfSignedInBetween() throws {
        let root = try scene.factory.authority("Root")
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root)
        let itself = try scene.factory.authority("Issuing", .init(key: issuing.key))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        expectOnly(.unknownIssuer, try scene.system([leaf, itself], anchors: [root]))
        #expect(try scene.system([leaf, itself, issuing], anchors: [root]).decision == .allow)
    }

    @Test("a key change within one name: new with old, below the old root")
    func keyRollover() throws {
        let old = try scene.factory.authority("Authority")
        let newWithOld = try scene.factory.intermediate("Authority", signedBy: old)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: newWithOld)
        #expect(newWithOld.view.isSelfIssued)
        let verdict = try scene.system([leaf, newWithOld], anchors: [old])
        #expect(verdict.path?.certificates == [leaf.view, newWithOld.view, old.view])
    }

    @Test("a leaf that carries the name and the key of its own issuer")
    func leafWithNameAndKeyOfIssuer() throws {
        let root = try scene.factory.authority("Root")
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root)
        let leaf = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing,
            .with {
                $0.key = issuing.key
                $0.commonName = "Issuing"
            })
        #expect(try scene.system([leaf, issuing], anchors: [root]).decision == .allow)
        expectOnly(.unknownIssuer, try scene.system([leaf], anchors: [root]))
    }
}
