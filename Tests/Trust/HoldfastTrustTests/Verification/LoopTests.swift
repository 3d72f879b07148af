import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Loops and self-issued certificates")
struct LoopTests {
    let scene = TrustScene()

    @Test("refuses two authorities that certify only each other")
    func circle() throws {
        let first = try scene.factory.authority("First")
        let second = try scene.factory.authority("Second")
        let firstBySecond = try scene.factory.intermediate("First", signedBy: second, .init(key: first.key))
        let secondByFirst = try scene.factory.intermediate("Second", signedBy: first, .init(key: second.key))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: first)
        let root = try scene.factory.authority("Root")
        let circle = [leaf, firstBySecond, secondByFirst, first, second]
        expectOnly(.unknownIssuer, try scene.system(circle, anchors: [root]))
        // One certificate by another authority is sufficient.
        let exit = try scene.factory.intermediate("Second", signedBy: root, .init(key: second.key))
        let verdict = try scene.system(circle + [exit], anchors: [root])
        #expect(verdict.pathNames == [TrustScene.host, "First", "Second", "Root"])
    }

    @Test("skips a self-signed certificate in the middle")
    func selfSignedInBetween() throws {
        let root = try scene.factory.authority("Root")
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root)
        let itself = try scene.factory.authority("Issuing", .init(key: issuing.key))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        expectOnly(.unknownIssuer, try scene.system([leaf, itself], anchors: [root]))
        #expect(try scene.system([leaf, itself, issuing], anchors: [root]).decision == .allow)
    }

    @Test("accepts a key rollover: the new key signed by the old one, below the old root")
    func keyRollover() throws {
        let old = try scene.factory.authority("Authority")
        let newWithOld = try scene.factory.intermediate("Authority", signedBy: old)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: newWithOld)
        #expect(newWithOld.view.isSelfIssued)
        let verdict = try scene.system([leaf, newWithOld], anchors: [old])
        #expect(verdict.path?.certificates == [leaf.view, newWithOld.view, old.view])
    }

    @Test("refuses a leaf with the name and the key of its own issuer")
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
