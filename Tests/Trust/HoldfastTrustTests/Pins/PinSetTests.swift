import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Pins")
struct PinSetTests {
    let scene = TrustScene()

    @Test("reads a hash as 32 bytes of base64, with or without a prefix")
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

    @Test("a pin matches only in its own domain", arguments: Pin.Domain.allCases)
    func domains(domain: Pin.Domain) throws {
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: nil).view
        let digests: [Pin.Domain: SHA256Hash] = [
            .spki: leaf.spkiDigest.sha256, .rawKey: leaf.rawKeyDigest.sha256,
            .certificate: leaf.certificateDigest.sha256,
        ]
        #expect(Set(digests.values).count == 3)
        for (other, hash) in digests {
            let match = PinSet([Pin(hash, domain: domain)]).match(leaf, isLeaf: true)
            #expect((match != nil) == (other == domain))
        }
    }

    @Test("a digest and its pin report their kind")
    func kinds() throws {
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: nil).view
        let (key, certificate) = (RawKeyDigest(hashing: leaf.rawKey), CertificateDigest(hashing: leaf.der))
        #expect(key == leaf.rawKeyDigest && certificate == leaf.certificateDigest)
        #expect(RawKeyDigest(bytes: key.bytes) == key && RawKeyDigest(bytes: key.bytes.dropLast()) == nil)
        #expect(CertificateDigest(bytes: certificate.bytes) == certificate)
        #expect(CertificateDigest(bytes: certificate.bytes + [0]) == nil)
        #expect(key.description == "raw-key-sha256/" + key.base64 && Pin(key).description == key.description)
        #expect(certificate.description == "certificate-sha256/" + certificate.base64)
        #expect(Pin(certificate).description == certificate.description)
        #expect(Pin(key).domain == .rawKey && Pin(certificate).domain == .certificate)
        #expect(Pin(key).spkiDigest == nil && Pin(key).bytes == key.bytes)
        #expect(Pin(leaf.spkiDigest).spkiDigest == leaf.spkiDigest && Pin(leaf.spkiDigest).domain == .spki)
    }

    @Test("a renewed certificate matches its key pins but not its certificate pin")
    func renewal() throws {
        let old = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let new = try scene.factory.leaf([TrustScene.host], signedBy: nil, .init(key: old.key)).view
        #expect(PinSet([Pin(old)]).match(new, isLeaf: true) != nil)
        #expect(PinSet([Pin(old.view.rawKeyDigest)]).match(new, isLeaf: true) != nil)
        #expect(PinSet([Pin(old.view.certificateDigest)]).match(new, isLeaf: true) == nil)
    }
}
