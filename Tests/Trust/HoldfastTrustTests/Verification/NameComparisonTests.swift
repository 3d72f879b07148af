import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests that issuer and subject are compared by the rules of RFC 5280, 7.1, and not byte by byte.
@Suite("Name comparison")
struct NameComparisonTests {
    typealias Attribute = (type: String, tag: UInt8, value: [UInt8])

    static let organization = "2.5.4.10"
    static let common = "2.5.4.3"

    static func bmp(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
    static func universal(_ text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
        }
    }

    /// Encodings of the name `O=Größe Works, CN=Issuing`.
    static let equal: [[Attribute]] = [
        [(organization, 0x0C, Array("Größe Works".utf8)), (common, 0x0C, Array("Issuing".utf8))],
        [(organization, 0x0C, Array("  GRÖßE   works ".utf8)), (common, 0x13, Array("ISSUING".utf8))],
        [(organization, 0x1E, bmp("größe works")), (common, 0x16, Array(" issuing".utf8))],
        [(organization, 0x1C, universal("Größe Works")), (common, 0x14, Array("Issuing".utf8))],
        [(organization, 0x1E, bmp("Größe  Works")), (common, 0x1A, Array("issuing ".utf8))],
    ]

    /// Names that differ from this name.
    static let different: [[Attribute]] = [
        [(organization, 0x0C, Array("Größe Works".utf8))],
        [(common, 0x0C, Array("Issuing".utf8)), (organization, 0x0C, Array("Größe Works".utf8))],
        [(common, 0x0C, Array("Größe Works".utf8)), (organization, 0x0C, Array("Issuing".utf8))],
        [(organization, 0x0C, Array("GrößeWorks".utf8)), (common, 0x0C, Array("Issuing".utf8))],
        [(organization, 0x0C, Array("Grosse Works".utf8)), (common, 0x0C, Array("Issuing".utf8))],
        [
            (organization, 0x14, [0x47, 0x72, 0xF6, 0xDF, 0x65] + Array(" Works".utf8)),
            (common, 0x0C, Array("Issuing".utf8)),
        ],
        [(organization, 0x0C, Array("Größe Works".utf8)), (common, 0x04, Array("Issuing".utf8))],
        [(organization, 0x0C, Array("Größe Works".utf8)), (common, 0x13, Array("Issuing".utf8) + [0])],
    ]

    let scene = TrustScene()

    /// Returns the finding for an authority with one name and a certificate that contains another issuer name.
    private func finding(authority: [UInt8], issuer: [UInt8]) throws -> TrustFinding {
        let root = try scene.factory.authority("Root", .init(key: .shared(.p256, "names root")))
        let issuing = try scene.factory.intermediate(
            "Issuing", signedBy: root,
            .with {
                $0.subject = authority
                $0.key = try .shared(.p256, "names issuing")
            })
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing, .with { $0.issuer = issuer })
        let verdict = try scene.system([leaf, issuing], anchors: [root])
        // The result must be the same if the authority is the anchor.
        #expect(try scene.system([leaf], anchors: [issuing]).finding.code == verdict.finding.code)
        return verdict.finding
    }

    @Test("accepts any case, spacing and string type of the issuer's name", arguments: equal.indices)
    func equalNames(index: Int) throws {
        for other in Self.equal {
            let finding = try finding(
                authority: CertificateName.der(other), issuer: CertificateName.der(Self.equal[index]))
            #expect(finding.code == .validPath, "\(finding)")
        }
    }

    @Test("a different name is a different issuer", arguments: different.indices)
    func differentNames(index: Int) throws {
        for other in Self.equal {
            let finding = try finding(
                authority: CertificateName.der(other), issuer: CertificateName.der(Self.different[index]))
            #expect(finding.code == .unknownIssuer, "\(finding)")
        }
    }

    @Test("a value that is not valid text equals only the same bytes")
    func opaqueValues() throws {
        for (tag, value) in [
            (UInt8(0x14), [UInt8]([0x47, 0xF6])), (0x1E, [0x00]), (0x1E, [0xD8, 0x00]), (0x0C, [0xC3]),
        ] {
            let name = CertificateName.der([(Self.common, tag, value)])
            #expect(try finding(authority: name, issuer: name).code == .validPath)
            let other = CertificateName.der([(Self.common, tag, value + value)])
            #expect(try finding(authority: name, issuer: other).code == .unknownIssuer)
        }
    }

    @Test("the order of attributes within a relative name is irrelevant; the order of relative names matters")
    func multipleAttributes() throws {
        let parts = (0..<5).map { CertificateName.attribute("2.5.4.11", DERBytes.utf8String("Unit \($0)")) }
        let reversed = parts.reversed().map { $0 }
        let set = DERBytes.sequence([DERBytes.set(parts)])
        #expect(try finding(authority: set, issuer: DERBytes.sequence([DERBytes.set(reversed)])).code == .validPath)
        let apart = DERBytes.sequence(parts.map { DERBytes.set([$0]) })
        #expect(try finding(authority: set, issuer: apart).code == .unknownIssuer)
        let apartReversed = DERBytes.sequence(reversed.map { DERBytes.set([$0]) })
        #expect(try finding(authority: apart, issuer: apartReversed).code == .unknownIssuer)
        let twice = DERBytes.sequence([DERBytes.set(parts + [parts[0]])])
        #expect(try finding(authority: set, issuer: twice).code == .unknownIssuer)
    }

    @Test("a certificate with its own name as issuer in another encoding is self-issued")
    func selfIssued() throws {
        let name = CertificateName.der(Self.equal[1])
        let certificate = try scene.factory.intermediate(
            "x", signedBy: scene.factory.authority("Root"),
            .with {
                $0.subject = name
                $0.issuer = CertificateName.der(Self.equal[2])
            })
        #expect(certificate.view.isSelfIssued)
        let other = try scene.factory.leaf(
            ["a.example.com"], signedBy: scene.factory.authority("Root"), .with { $0.subject = name })
        #expect(!other.view.isSelfIssued)
    }

    @Test("an overlong or malformed name equals only the same bytes")
    func unfoldedNames() throws {
        for count in [4_000, 4_100] {
            let lower = CertificateName.der("", String(repeating: "a", count: count))
            let upper = CertificateName.der("", String(repeating: "A", count: count))
            let isFolded = upper.count <= NameDigest.foldedBytes
            #expect(isFolded == (count == 4_000))
            #expect(try finding(authority: lower, issuer: lower).code == .validPath)
            #expect(try finding(authority: lower, issuer: upper).code == (isFolded ? .validPath : .unknownIssuer))
        }
        let malformed = DERBytes.sequence([DERBytes.set([[5, 0]])])
        #expect(try finding(authority: malformed, issuer: malformed).code == .validPath)
        #expect(
            try finding(authority: malformed, issuer: DERBytes.sequence([DERBytes.set([[5, 0], [5, 0]])])).code
                == .unknownIssuer)
    }

    @Test("normalized names agree with an independent comparison", arguments: 0..<40)
    func generatedNames(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let words = ["a", "A", "b", "ä", "Ä", "a b", "a  b", " a", "B ", "", "ab"]
        struct Word: Hashable {
            var type: String
            var text: String
        }
        func name() -> (der: [UInt8], key: [[Word]]) {
            var sets: [[UInt8]] = []
            var key: [[Word]] = []
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                var attributes: [[UInt8]] = []
                var parts: [Word] = []
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    let text = words.randomElement(using: &random) ?? ""
                    let type = Bool.random(using: &random) ? Self.common : Self.organization
                    let value =
                        switch Int.random(in: 0..<3, using: &random) {
                        case 0: DERBytes.element(0x0C, Array(text.utf8))
                        case 1: DERBytes.element(0x1E, Self.bmp(text))
                        default: DERBytes.element(0x1C, Self.universal(text))
                        }
                    attributes.append(CertificateName.attribute(type, value))
                    parts.append(Word(type: type, text: text.lowercased().split(separator: " ").joined(separator: " ")))
                }
                sets.append(DERBytes.set(attributes))
                key.append(parts.sorted { ($0.type, $0.text) < ($1.type, $1.text) })
            }
            return (DERBytes.sequence(sets), key)
        }
        let names = (0..<60).map { _ in name() }
        for one in names {
            for other in names {
                let isEqual =
                    NameDigest(one.der.indices, in: one.der) == NameDigest(other.der.indices, in: other.der)
                #expect(isEqual == (one.key == other.key))
            }
        }
    }
}
