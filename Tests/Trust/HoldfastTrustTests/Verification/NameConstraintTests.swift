import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Name constraints")
struct NameConstraintTests {
    /// Encodes GeneralNames.
    enum Name {
        static func dns(_ text: String) -> [UInt8] { DERBytes.context(2, constructed: false, Array(text.utf8)) }
        static func email(_ text: String) -> [UInt8] { DERBytes.context(1, constructed: false, Array(text.utf8)) }
        static func uri(_ text: String) -> [UInt8] { DERBytes.context(6, constructed: false, Array(text.utf8)) }
        static func ip(_ bytes: [UInt8]) -> [UInt8] { DERBytes.context(7, constructed: false, bytes) }
        static func directory(_ name: [UInt8]) -> [UInt8] { DERBytes.context(4, constructed: true, name) }
        static let registeredID = DERBytes.context(8, constructed: false, [0x2A, 0x03])
        static let otherName = DERBytes.context(
            0, constructed: true,
            DERBytes.objectIdentifier("1.3.6.1.4.1.99999.3") + DERBytes.context(0, constructed: true, [5, 0]))
    }

    struct Case: CustomTestStringConvertible {
        var name: String
        var permitted: [[UInt8]] = []
        var excluded: [[UInt8]] = []
        var names: [[UInt8]] = []
        var subject: [UInt8]?
        var isAllowed: Bool

        var testDescription: String { "\(name) → \(isAllowed ? "allow" : "block")" }
    }

    static let host = Name.dns(TrustScene.host)
    static func organization(_ name: String) -> [UInt8] { CertificateName.der("", name) }

    static let dnsCases: [Case] = [
        Case(name: "below the permitted name", permitted: [Name.dns("example.com")], isAllowed: true),
        Case(name: "the permitted name itself", permitted: [Name.dns("chat.example.com")], isAllowed: true),
        Case(name: "case does not matter", permitted: [Name.dns("EXAMPLE.Com")], isAllowed: true),
        Case(name: "a permitted top-level domain", permitted: [Name.dns("com")], isAllowed: true),
        Case(name: "the empty name permits all", permitted: [Name.dns("")], isAllowed: true),
        Case(name: "outside", permitted: [Name.dns("example.org")], isAllowed: false),
        Case(name: "a name with only the same suffix", permitted: [Name.dns("ample.com")], isAllowed: false),
        Case(name: "a longer permitted name", permitted: [Name.dns("a.chat.example.com")], isAllowed: false),
        Case(
            name: "one of two permitted names", permitted: [Name.dns("example.org"), Name.dns("example.com")],
            isAllowed: true),
        Case(name: "leading dot, below", permitted: [Name.dns(".example.com")], isAllowed: true),
        Case(name: "leading dot, the name itself", permitted: [Name.dns(".chat.example.com")], isAllowed: false),
        Case(name: "excluded parent domain", excluded: [Name.dns("example.com")], isAllowed: false),
        Case(name: "excluded name", excluded: [Name.dns("chat.example.com")], isAllowed: false),
        Case(name: "all names excluded", excluded: [Name.dns("")], isAllowed: false),
        Case(name: "excluded sibling", excluded: [Name.dns("mail.example.com")], isAllowed: true),
        Case(
            name: "excluded below permitted", permitted: [Name.dns("example.com")],
            excluded: [Name.dns("chat.example.com")], isAllowed: false),
        Case(
            name: "every name must be permitted", permitted: [Name.dns("example.com")],
            names: [Name.dns("example.org")],
            isAllowed: false),
        Case(
            name: "a wildcard inside the permitted domain", permitted: [Name.dns("example.com")],
            names: [Name.dns("*.example.com")],
            isAllowed: true),
        Case(
            name: "a wildcard that matches more than permitted",
            permitted: [Name.dns("chat.example.com"), Name.dns("a.example.com")], names: [Name.dns("*.example.com")],
            isAllowed: false),
        Case(
            name: "a wildcard that matches an excluded name", excluded: [Name.dns("secret.example.com")],
            names: [Name.dns("*.example.com")], isAllowed: false),
        Case(
            name: "a wildcard matches one label, not two", excluded: [Name.dns("a.secret.example.com")],
            names: [Name.dns("*.example.com")], isAllowed: true),
        Case(
            name: "a wildcard below a leading dot", permitted: [Name.dns(".example.com")],
            names: [Name.dns("*.example.com")], isAllowed: true),
        Case(
            name: "a wildcard above a leading dot", excluded: [Name.dns(".a.example.com")],
            names: [Name.dns("*.example.com")], isAllowed: true),
        Case(
            name: "an invalid name is not inside", permitted: [Name.dns("")], names: [Name.dns("a b.test")],
            isAllowed: false),
        Case(
            name: "an invalid name is not outside", excluded: [Name.dns("example.org")], names: [Name.dns("a..test")],
            isAllowed: false),
        Case(
            name: "an invalid name without constraints on names", permitted: [Name.email("example.com")],
            names: [Name.dns("a..test")], isAllowed: true),
    ]

    static let addressCases: [Case] = [
        Case(
            name: "inside a /8", permitted: [Name.ip([10, 0, 0, 0, 255, 0, 0, 0])], names: [Name.ip([10, 1, 2, 3])],
            isAllowed: true),
        Case(
            name: "outside a /8", permitted: [Name.ip([10, 0, 0, 0, 255, 0, 0, 0])], names: [Name.ip([11, 1, 2, 3])],
            isAllowed: false),
        Case(
            name: "the last bit of a /31", permitted: [Name.ip([10, 0, 0, 2, 255, 255, 255, 254])],
            names: [Name.ip([10, 0, 0, 3])], isAllowed: true),
        Case(
            name: "host bits of the constraint are ignored", permitted: [Name.ip([10, 9, 9, 9, 255, 0, 0, 0])],
            names: [Name.ip([10, 1, 2, 3])], isAllowed: true),
        Case(
            name: "excluded", excluded: [Name.ip([10, 0, 0, 0, 255, 0, 0, 0])], names: [Name.ip([10, 1, 2, 3])],
            isAllowed: false),
        Case(
            name: "0.0.0.0/0 excludes every IPv4 address", excluded: [Name.ip([0, 0, 0, 0, 0, 0, 0, 0])],
            names: [Name.ip([8, 8, 8, 8])], isAllowed: false),
        Case(
            name: "0.0.0.0/0 excludes no IPv6 address", excluded: [Name.ip([0, 0, 0, 0, 0, 0, 0, 0])],
            names: [Name.ip(Array(repeating: 0, count: 16))], isAllowed: true),
        Case(
            name: "only IPv4 permitted, IPv6 given", permitted: [Name.ip([0, 0, 0, 0, 0, 0, 0, 0])],
            names: [Name.ip(Array(repeating: 0, count: 16))], isAllowed: false),
        Case(
            name: "an IPv6 prefix",
            permitted: [Name.ip([0xFD] + Array(repeating: 0, count: 15) + [0xFF] + Array(repeating: 0, count: 15))],
            names: [Name.ip([0xFD] + Array(repeating: 7, count: 15))], isAllowed: true),
        Case(
            name: "an address is not constrained by DNS names", permitted: [Name.dns("example.com")],
            names: [Name.ip([10, 1, 2, 3])],
            isAllowed: true),
        Case(
            name: "a DNS name is not constrained by addresses", permitted: [Name.ip([10, 0, 0, 0, 255, 0, 0, 0])],
            isAllowed: true),
    ]

    static let mailAndURICases: [Case] = [
        Case(
            name: "a mailbox at the host", permitted: [Name.email("example.com")], names: [Name.email("u@example.com")],
            isAllowed: true),
        Case(
            name: "a mailbox below the host", permitted: [Name.email("example.com")],
            names: [Name.email("u@a.example.com")], isAllowed: false),
        Case(
            name: "a mailbox below a domain", permitted: [Name.email(".example.com")],
            names: [Name.email("u@a.example.com")], isAllowed: true),
        Case(
            name: "a mailbox at the domain itself", permitted: [Name.email(".example.com")],
            names: [Name.email("u@example.com")], isAllowed: false),
        Case(
            name: "one mailbox", permitted: [Name.email("u@Example.com")], names: [Name.email("u@example.COM")],
            isAllowed: true),
        Case(
            name: "another mailbox", permitted: [Name.email("u@example.com")], names: [Name.email("v@example.com")],
            isAllowed: false),
        Case(
            name: "an excluded mailbox in different case", excluded: [Name.email("root@example.com")],
            names: [Name.email("ROOT@example.com")], isAllowed: false),
        Case(
            name: "text that is not a mailbox", excluded: [Name.email("example.org")], names: [Name.email("nobody")],
            isAllowed: false),
        Case(
            name: "a mailbox in the subject", excluded: [Name.email("example.org")],
            subject: mailSubject("u@example.org"),
            isAllowed: false),
        Case(
            name: "an excluded mailbox in the subject as a BMPString", excluded: [Name.email("example.org")],
            subject: CertificateName.der([
                (
                    "1.2.840.113549.1.9.1", 0x1E,
                    "u@example.org".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
                )
            ]), isAllowed: false),
        Case(
            name: "a permitted mailbox in the subject", permitted: [Name.email("example.org")],
            subject: mailSubject("u@example.org"), isAllowed: true),
        Case(
            name: "a URI at the host", permitted: [Name.uri("example.com")],
            names: [Name.uri("https://u:p@EXAMPLE.com:8443/path?q#f")], isAllowed: true),
        Case(
            name: "a URI below the host", permitted: [Name.uri("example.com")],
            names: [Name.uri("https://a.example.com/")], isAllowed: false),
        Case(
            name: "a URI below a domain", permitted: [Name.uri(".example.com")],
            names: [Name.uri("https://a.example.com")], isAllowed: true),
        Case(
            name: "an excluded URI", excluded: [Name.uri(".example.com")], names: [Name.uri("ldap://a.example.com")],
            isAllowed: false),
        Case(
            name: "a URI without a host", excluded: [Name.uri("example.com")], names: [Name.uri("urn:isbn:1")],
            isAllowed: false),
        Case(
            name: "a URI with an address", permitted: [Name.uri("10.0.0.1")], names: [Name.uri("https://10.0.0.1/")],
            isAllowed: false),
        Case(
            name: "a URI with an IPv6 address", excluded: [Name.uri("example.com")],
            names: [Name.uri("https://[::1]/")],
            isAllowed: false),
        Case(
            name: "mailboxes and URIs do not constrain hosts",
            excluded: [Name.email("example.com"), Name.uri("example.com")],
            isAllowed: true),
    ]

    static let directoryCases: [Case] = [
        Case(
            name: "the permitted organization", permitted: [Name.directory(organization("Good"))],
            subject: CertificateName.der("server", "Good"), isAllowed: true),
        Case(
            name: "the permitted organization in different case and spacing",
            permitted: [Name.directory(organization("Good  Works"))],
            subject: CertificateName.der("server", " GOOD works "), isAllowed: true),
        Case(
            name: "characters outside of ASCII in different case",
            excluded: [Name.directory(organization("Gute Ämter"))],
            subject: CertificateName.der("server", "gute ämter"), isAllowed: false),
        Case(
            name: "in another string type", excluded: [Name.directory(printableOrganization("Bad"))],
            subject: CertificateName.der("server", "bad"), isAllowed: false),
        Case(
            name: "excluded, encoded as a BMPString", excluded: [Name.directory(organization("Bad"))],
            subject: organization("bad".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, tag: 0x1E),
            isAllowed: false),
        Case(
            name: "excluded, encoded as a UniversalString", excluded: [Name.directory(organization("Bad"))],
            subject: organization("BAD".unicodeScalars.flatMap { [0, 0, 0, UInt8($0.value)] }, tag: 0x1C),
            isAllowed: false),
        Case(
            name: "excluded, encoded as a TeletexString", excluded: [Name.directory(organization("Bad"))],
            subject: organization(Array("Bad ".utf8), tag: 0x14), isAllowed: false),
        Case(
            name: "permitted, encoded as a BMPString", permitted: [Name.directory(organization("Good"))],
            subject: organization("good".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, tag: 0x1E),
            isAllowed: true),
        Case(
            name: "a TeletexString outside of ASCII cannot be compared",
            excluded: [Name.directory(organization("Bäd"))],
            subject: organization([0x42, 0xE4, 0x64], tag: 0x14), isAllowed: false),
        Case(
            name: "an incomplete BMPString cannot be compared", excluded: [Name.directory(organization("Bad"))],
            subject: organization([0x00, 0x42, 0x00], tag: 0x1E), isAllowed: false),
        Case(
            name: "an octet string cannot be compared", excluded: [Name.directory(organization("Bad"))],
            subject: organization(Array("Bad".utf8), tag: 0x04), isAllowed: false),
        Case(
            name: "a value that cannot be compared is irrelevant if only hosts are constrained",
            excluded: [Name.dns("example.org")], subject: organization([0x42, 0xE4, 0x64], tag: 0x14),
            isAllowed: true),
        Case(
            name: "permitted by identical bytes",
            permitted: [Name.directory(organization([0x42, 0xE4, 0x64], tag: 0x14))],
            subject: organization([0x42, 0xE4, 0x64], tag: 0x14), isAllowed: true),
        Case(
            name: "an excluded TeletexString outside of ASCII may match any name",
            excluded: [Name.directory(organization([0x42, 0xE4, 0x64], tag: 0x14))],
            subject: CertificateName.der("server", "Bäd"), isAllowed: false),
        Case(
            name: "an excluded TeletexString after a different relative name does not match",
            excluded: [
                Name.directory(
                    CertificateName.der([("2.5.4.6", 0x13, Array("SE".utf8)), ("2.5.4.10", 0x14, [0x42, 0xE4])]))
            ], subject: CertificateName.der("server", "Bäd"), isAllowed: true),
        Case(
            name: "another organization", permitted: [Name.directory(organization("Good"))],
            subject: CertificateName.der("server", "Goodness"), isAllowed: false),
        Case(
            name: "no organization", permitted: [Name.directory(organization("Good"))],
            subject: CertificateName.der("server"), isAllowed: false),
        Case(
            name: "an empty subject is not constrained", permitted: [Name.directory(organization("Good"))],
            subject: DERBytes.sequence([]), isAllowed: true),
        Case(
            name: "excluded", excluded: [Name.directory(organization("Bad"))],
            subject: CertificateName.der("server", "Bad"), isAllowed: false),
        Case(
            name: "an excluded alternative name of this form", excluded: [Name.directory(organization("Bad"))],
            names: [Name.directory(CertificateName.der("x", "Bad"))], isAllowed: false),
        Case(
            name: "a malformed name is not outside", excluded: [Name.directory(organization("Bad"))],
            names: [Name.directory(DERBytes.sequence([[5, 0]]))], isAllowed: false),
        Case(
            name: "a registered identifier", excluded: [Name.registeredID], names: [Name.registeredID],
            isAllowed: false),
        Case(
            name: "an other name that is permitted but not supported", permitted: [Name.otherName],
            names: [Name.otherName], isAllowed: false),
        Case(
            name: "constraints on forms that the certificate does not contain", permitted: [Name.otherName],
            excluded: [Name.registeredID], isAllowed: true),
    ]

    private static func organization(_ bytes: [UInt8], tag: UInt8) -> [UInt8] {
        CertificateName.der([("2.5.4.10", tag, bytes)])
    }

    private static func printableOrganization(_ name: String) -> [UInt8] {
        DERBytes.sequence([
            DERBytes.set([
                DERBytes.sequence([
                    DERBytes.objectIdentifier("2.5.4.10"), DERBytes.element(0x13, Array(name.utf8)),
                ])
            ])
        ])
    }

    private static func mailSubject(_ mailbox: String) -> [UInt8] {
        DERBytes.sequence([
            DERBytes.set([
                DERBytes.sequence([
                    DERBytes.objectIdentifier("1.2.840.113549.1.9.1"), DERBytes.element(0x16, Array(mailbox.utf8)),
                ])
            ])
        ])
    }

    // MARK: - Tests

    let scene = TrustScene()

    static func constraints(permitted: [[UInt8]], excluded: [[UInt8]]) -> ExtraExtension {
        func list(_ number: UInt8, _ names: [[UInt8]]) -> [UInt8] {
            names.isEmpty
                ? []
                : DERBytes.context(number, constructed: true, Array(names.map { DERBytes.sequence([$0]) }.joined()))
        }
        return ExtraExtension(
            "2.5.29.30", isCritical: true, value: DERBytes.sequence([list(0, permitted), list(1, excluded)]))
    }

    @Test(
        "permits and excludes each form of name",
        arguments: dnsCases + addressCases + mailAndURICases + directoryCases)
    func forms(test: Case) throws {
        let extensions = [Self.constraints(permitted: test.permitted, excluded: test.excluded)]
        let root = try scene.factory.authority("Root")
        let issuing = try scene.factory.intermediate(
            "Issuing", signedBy: root, .with { $0.extraExtensions = extensions })
        let unlimited = try scene.factory.intermediate("Issuing", signedBy: root, .init(key: issuing.key))
        let leaf = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing,
            .with {
                $0.subject = test.subject
                $0.extraGeneralNames = test.names
            })
        let verdict = try scene.system([leaf, issuing], anchors: [root])
        if test.isAllowed {
            #expect(verdict.decision == .allow, "\(verdict)")
        } else {
            expectOnly(.nameConstraintViolation, verdict)
            #expect(verdict.finding.facts.issuer == "CN=Issuing")
            #expect(verdict.finding.facts.index == 0)
        }
        // The same constraints at the root, two levels above. Permitted organizations would exclude the issuing
        // authority.
        if test.permitted.allSatisfy({ $0.first != 0xA4 }) {
            let constrainedRoot = try scene.factory.authority(
                "Root",
                .with {
                    $0.key = root.key
                    $0.extraExtensions = extensions
                })
            let verdict = try scene.system([leaf, unlimited], anchors: [constrainedRoot])
            #expect((verdict.decision == .allow) == test.isAllowed, "\(verdict)")
        }
        // Without constraints, the certificate is accepted.
        #expect(try scene.system([leaf, unlimited], anchors: [root]).decision == .allow)
    }

    @Test(
        "malformed constraints make the authority unusable",
        arguments: [
            Name.dns("."), Name.dns("*.example.com"), Name.dns("exa mple.com"), Name.dns("example.com."),
            Name.ip([10, 0, 0, 0]), Name.ip([10, 0, 0, 0, 255, 0, 255, 0]), Name.ip([10, 0, 0, 0, 255, 1, 0, 0]),
            Name.ip(Array(repeating: 0, count: 16)), Name.directory(DERBytes.sequence([[5, 0]])),
            Name.dns("example.com") + DERBytes.context(1, constructed: false, [9]),
            Name.dns("example.com") + DERBytes.context(0, constructed: false, [1]),
        ])
    func malformed(subtree: [UInt8]) throws {
        let root = try scene.factory.authority("Root")
        for isExcluded in [false, true] {
            let extensions = [
                Self.constraints(permitted: isExcluded ? [] : [subtree], excluded: isExcluded ? [subtree] : [])
            ]
            let issuing = try scene.factory.intermediate(
                "Issuing", signedBy: root, .with { $0.extraExtensions = extensions })
            let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
            #expect(
                try scene.system([leaf, issuing], anchors: [root]).finding.code == .malformedCertificate)
        }
    }

    @Test("refuses a certificate of a constrained authority for another domain")
    func constrainedCustomer() throws {
        let root = try scene.factory.authority("Root")
        let customer = try scene.factory.intermediate(
            "Customer", signedBy: root, .init(nameConstraints: .init(permittedDNSNames: ["customer.test"])))
        let below = try scene.factory.intermediate("Below", signedBy: customer)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: below)
        expectOnly(.nameConstraintViolation, try scene.system([leaf, below, customer], anchors: [root]))
        // Wider constraints of a lower authority do not extend the permitted names.
        let wider = try scene.factory.intermediate(
            "Below", signedBy: customer,
            .init(key: below.key, nameConstraints: .init(permittedDNSNames: ["example.com"])))
        expectOnly(.nameConstraintViolation, try scene.system([leaf, wider, customer], anchors: [root]))
        let honest = try scene.factory.leaf(["a.customer.test"], signedBy: below)
        #expect(
            try scene.system([honest, below, customer], anchors: [root], host: "a.customer.test").decision == .allow)
        let unlimited = try scene.factory.intermediate("Customer", signedBy: root, .init(key: customer.key))
        #expect(try scene.system([leaf, below, unlimited], anchors: [root]).decision == .allow)
    }

    @Test("constraints apply to intermediates, not to self-issued ones, but to a self-issued leaf")
    func intermediates() throws {
        let set = NameConstraintSet(permittedDirectoryNames: [Self.organization("Good")])
        let root = try scene.factory.authority(
            "Root",
            .with {
                $0.nameConstraints = set
                $0.organization = "Other"
            })
        func chain(_ organization: String?) throws -> [Identity] {
            let issuing = try scene.factory.intermediate(
                "Issuing", signedBy: root, .with { $0.organization = organization })
            let leaf = try scene.factory.leaf(
                [TrustScene.host], signedBy: issuing, .with { $0.organization = "Good" })
            return [leaf, issuing]
        }
        #expect(try scene.system(chain("Good"), anchors: [root]).decision == .allow)
        let verdict = try scene.system(chain("Bad"), anchors: [root])
        expectOnly(.nameConstraintViolation, verdict)
        #expect(verdict.finding.facts.index == 1)

        let rollover = try scene.factory.intermediate("Root", signedBy: root, .with { $0.organization = "Other" })
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: rollover, .with { $0.organization = "Good" })
        #expect(rollover.view.isSelfIssued)
        #expect(try scene.system([leaf, rollover], anchors: [root]).decision == .allow)
        let selfIssued = try scene.factory.leaf(
            [TrustScene.host], signedBy: root, .with { $0.subject = CertificateName.der("Root", "Other") })
        #expect(selfIssued.view.isSelfIssued)
        expectOnly(.nameConstraintViolation, try scene.system([selfIssued], anchors: [root]))
    }

    @Test("constraints ignore a common name")
    func commonName() throws {
        let root = try scene.factory.authority(
            "Root", .init(nameConstraints: .init(permittedDNSNames: ["example.com"])))
        let leaf = try scene.factory.leaf(
            [TrustScene.host], signedBy: root, .with { $0.commonName = "www.example.org" })
        #expect(try scene.system([leaf], anchors: [root]).decision == .allow)
    }
}
