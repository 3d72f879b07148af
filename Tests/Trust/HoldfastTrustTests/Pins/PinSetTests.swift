import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Pins")
struct PinSetTests {
    let scene = TrustScene()

    @Test("a hash is 32 bytes of base64, with or without its prefix")
    func parsing() throws {
        let digest = SPKIDigest(hashing: [1, 2, 3])
        #expect(SPKIDigest(base64: digest.base64) == digest)
        #expect(SPKIDigest(base64: "sha256/" + digest.base64) == digest)
        #expect(digest.description == "sha256/" + digest.base64)
        for text in [
            "", "sha256/", "AAAA", digest.base64 + "AAAA", String(digest.base64.dropLast()), "sha1/" + digest.base64,
        ] {
            #expect(SPKIDigest(base64: text) == nil)
        }
        #expect(SPKIDigest(bytes: Array(repeating: 0, count: 31)) == nil)
        #expect(SPKIDigest(bytes: Array(repeating: 0, count: 33)) == nil)
    }

    @Test("a pin matches in its own domain and in no other", arguments: Pin.Domain.allCases)
    func domains(domain: Pin.Domain) throws {
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: nil).view
        let digests: [Pin.Domain: SPKIDigest] = [
            .spki: leaf.spkiDigest, .rawKey: leaf.rawKeyDigest, .certificate: leaf.certificateDigest,
        ]
        #expect(Set(digests.values).count == 3)
        for (other, digest) in digests {
            let match = PinSet([Pin(digest, domain: domain)]).match(leaf, isLeaf: true)
            #expect((match != nil) == (other == domain))
        }
    }

    @Test("a renewed certificate keeps its key pins and loses its certificate pin")
    func renewal() throws {
        let old = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let new = try scene.factory.leaf([TrustScene.host], signedBy: nil, .init(key: old.key)).view
        #expect(PinSet([Pin(old)]).match(new, isLeaf: true) != nil)
        #expect(PinSet([Pin(old.view.rawKeyDigest, domain: .rawKey)]).match(new, isLeaf: true) != nil)
        #expect(PinSet([Pin(old.view.certificateDigest, domain: .certificate)]).match(new, isLeaf: true) == nil)
    }
}
