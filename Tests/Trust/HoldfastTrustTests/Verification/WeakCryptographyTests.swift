import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Keys and signatures")
struct WeakCryptographyTests {
    let scene = TrustScene()

    @Test(
        "accepts every supported kind of key for authority and leaf",
        arguments: KeyKind.allCases.filter { $0 != .rsa1024 })
    func supported(kind: KeyKind) throws {
        // Both certificates use one key, because creating an RSA key of 4,096 bits takes seconds.
        let key = try Key.shared(kind, "factory test")
        let root = try scene.factory.authority("Root", .init(key: key))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(key: key))
        #expect(try scene.system([leaf], anchors: [root]).decision == .allow)
        let forged = try scene.factory.leaf([TrustScene.host], signedBy: root, .with { $0.breaksSignature = true })
        #expect(try scene.system([forged], anchors: [root]).finding.code == .badSignature)
    }

    @Test(
        "accepts each key with each hash", arguments: [KeyKind.p256, .p384, .p521, .rsa2048],
        [SignatureHash.sha256, .sha384, .sha512])
    func hashes(kind: KeyKind, hash: SignatureHash) throws {
        let root = try scene.factory.authority("Root", .init(key: .shared(kind, "crypto root")))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .with { $0.signatureHash = hash })
        #expect(try scene.system([leaf], anchors: [root]).decision == .allow)
    }

    @Test(
        "refuses SHA-1 and MD5 on the leaf and on intermediates", arguments: [SignatureHash.sha1, .md5],
        [KeyKind.rsa2048, .p256])
    func weakHashes(hash: SignatureHash, kind: KeyKind) throws {
        let root = try scene.factory.authority("Root", .init(key: .shared(kind, "crypto root")))
        let weak = CertificateOptions.with {
            $0.signatureHash = hash
            $0.key = try? .shared(kind, "crypto middle")
        }
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, weak)
        expectOnly(.weakSignature, try scene.system([leaf], anchors: [root]))
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root, weak)
        let below = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        expectOnly(.weakSignature, try scene.system([below, issuing], anchors: [root]))
        // The anchor's own signature is not checked, because nothing depends on it.
        #expect(try scene.system([below], anchors: [issuing]).decision == .allow)
    }

    @Test("refuses RSA keys of 1,024 bits in leaf, intermediate and root")
    func shortKeys() throws {
        let short = CertificateOptions(key: try .shared(.rsa1024, "short"))
        for place in 0..<3 {
            let root = try scene.factory.authority("Root", place == 2 ? short : .init())
            let issuing = try scene.factory.intermediate("Issuing", signedBy: root, place == 1 ? short : .init())
            let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing, place == 0 ? short : .init())
            let verdict = try scene.system([leaf, issuing], anchors: [root])
            #expect(verdict.finding.code == .weakKey, "\(verdict)")
            #expect(verdict.finding.reason.contains("1024"))
        }
    }

    @Test("does not use an RSA key of 16,384 bits")
    func longKeys() throws {
        let modulus = [0x80] + [UInt8](repeating: 1, count: 2_047)
        let info = rsaInfo(modulus)
        let root = try scene.factory.authority("Root", .with { $0.publicKeyInfo = info })
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
        #expect(root.view.keyDescription == "RSA 16384")
        #expect(try scene.system([leaf], anchors: [root]).finding.code == .weakKey)
    }

    private func rsaInfo(_ modulus: [UInt8]) -> [UInt8] {
        DERBytes.sequence([
            DERBytes.sequence([DERBytes.objectIdentifier("1.2.840.113549.1.1.1"), DERBytes.null()]),
            DERBytes.bitString(
                DERBytes.sequence([DERBytes.unsignedInteger(modulus), DERBytes.unsignedInteger([1, 0, 1])])),
        ])
    }

    // MARK: - Unsupported keys

    static let foreignKeys: [(name: String, info: [UInt8])] = [
        (
            "an unknown curve",
            DERBytes.sequence([
                DERBytes.sequence([
                    DERBytes.objectIdentifier("1.2.840.10045.2.1"), DERBytes.objectIdentifier("1.3.132.0.10"),
                ]), DERBytes.bitString([4] + Array(repeating: 7, count: 64)),
            ])
        ),
        (
            "Ed448",
            DERBytes.sequence([
                DERBytes.sequence([DERBytes.objectIdentifier("1.3.101.113")]),
                DERBytes.bitString(Array(repeating: 9, count: 57)),
            ])
        ),
        (
            "ML-DSA-65",
            DERBytes.sequence([
                DERBytes.sequence([DERBytes.objectIdentifier("2.16.840.1.101.3.4.3.18")]),
                DERBytes.bitString(Array(repeating: 5, count: 1_952)),
            ])
        ),
        (
            "a malformed RSA key",
            DERBytes.sequence([
                DERBytes.sequence([DERBytes.objectIdentifier("1.2.840.113549.1.1.1"), DERBytes.null()]),
                DERBytes.bitString([1, 2, 3]),
            ])
        ),
        (
            "a point that is not on the curve",
            DERBytes.sequence([
                DERBytes.sequence([
                    DERBytes.objectIdentifier("1.2.840.10045.2.1"), DERBytes.objectIdentifier("1.2.840.10045.3.1.7"),
                ]), DERBytes.bitString([4] + Array(repeating: 1, count: 64)),
            ])
        ),
    ]

    @Test("unsupported keys can be hashed and pinned", arguments: 0..<5)
    func unsupportedKeys(index: Int) throws {
        let info = Self.foreignKeys[index].info
        let root = try scene.factory.authority("Root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .with { $0.publicKeyInfo = info })
        #expect(leaf.view.spkiDigest == SPKIDigest(hashing: info))
        let pins = PinnedKeysOnly(certificates: [], pins: [Pin(SPKIDigest(hashing: info))])
        #expect(try scene.pinnedKeysOnly([leaf], pins).decision == .allow)
        // As an intermediate, such a key verifies nothing.
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root, .with { $0.publicKeyInfo = info })
        let below = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        #expect(try scene.system([below, issuing], anchors: [root]).decision == .block)
    }

    @Test("unsupported keys among the roots or after the leaf have no effect", arguments: 0..<5)
    func unsupportedKeysAreIgnored(index: Int) throws {
        let odd = try scene.factory.authority("Odd", .with { $0.publicKeyInfo = Self.foreignKeys[index].info })
        let root = try scene.factory.authority("Root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
        #expect(try scene.system([leaf, odd], anchors: [odd, root]).decision == .allow)
        let verdict = try scene.pinned([leaf, odd], anchors: [odd, root], under: scene.policy([Pin(leaf)]))
        #expect(verdict.finding.code == .pinMatched)
    }

    @Test("a signature of one kind is not verified with a key of another kind")
    func crossedAlgorithms() throws {
        let kinds: [KeyKind] = [.p256, .p384, .p521, .ed25519, .rsa2048]
        for signer in kinds {
            for claimed in kinds where claimed != signer {
                let root = try scene.factory.authority("Root", .init(key: .shared(claimed, "crypto root")))
                let leaf = try scene.factory.leaf(
                    [TrustScene.host], signedBy: root, .with { $0.signingKey = try? .shared(signer, "crypto leaf") })
                #expect(try scene.system([leaf], anchors: [root]).finding.code == .badSignature)
            }
        }
    }
}
