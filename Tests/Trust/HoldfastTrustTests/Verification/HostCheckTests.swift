import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Host check")
struct HostCheckTests {
    struct Case: CustomTestStringConvertible {
        var names: [String] = []
        var addresses: [String] = []
        var host: String
        var matches: Bool

        var testDescription: String { "\(names + addresses) for \(host): \(matches)" }
    }

    static let cases: [Case] = [
        // Names: case and one trailing dot of the host are ignored.
        Case(names: ["example.com"], host: "example.com", matches: true),
        Case(names: ["ExAmple.COM"], host: "exAMPLE.com.", matches: true),
        Case(names: ["other.org", "example.com"], host: "example.com", matches: true),
        Case(names: ["example.com"], host: "www.example.com", matches: false),
        Case(names: ["www.example.com"], host: "example.com", matches: false),
        Case(names: ["xn--bcher-kva.example"], host: "Bücher.example", matches: true),
        Case(names: ["a_b.example.com"], host: "a_b.example.com", matches: true),
        Case(names: ["localhost"], host: "localhost.", matches: true),
        // Wildcards replace the whole first label, match exactly one label, and need two labels after them.
        Case(names: ["*.example.com"], host: "a.example.com", matches: true),
        Case(names: ["*.example.com"], host: "xn--bcher-kva.example.com", matches: true),
        Case(names: ["*.example.com"], host: "example.com", matches: false),
        Case(names: ["*.example.com"], host: "a.b.example.com", matches: false),
        Case(names: ["*.example.com"], host: "aexample.com", matches: false),
        Case(names: ["*.a.example.com"], host: "b.a.example.com", matches: true),
        Case(names: ["*.com"], host: "example.com", matches: false),
        Case(names: ["*.localhost"], host: "a.localhost", matches: false),
        Case(names: ["*.localhost"], host: "localhost.", matches: false),
        Case(names: ["*"], host: "localhost", matches: false),
        Case(names: ["*"], host: "example.com", matches: false),
        Case(names: ["*."], host: "com", matches: false),
        Case(names: ["w*w.example.com"], host: "www.example.com", matches: false),
        Case(names: ["w*.example.com"], host: "www.example.com", matches: false),
        Case(names: ["*w.example.com"], host: "www.example.com", matches: false),
        Case(names: ["**.example.com"], host: "www.example.com", matches: false),
        Case(names: ["foo.*.com"], host: "foo.example.com", matches: false),
        Case(names: ["*.*.example.com"], host: "a.b.example.com", matches: false),
        Case(names: ["www.*"], host: "www.example", matches: false),
        // Unusual spellings in the certificate match no host.
        Case(names: ["example.com."], host: "example.com", matches: false),
        Case(names: ["*.example.com."], host: "a.example.com", matches: false),
        Case(names: [".example.com"], host: "a.example.com", matches: false),
        Case(names: [""], host: "example.com", matches: false),
        Case(names: ["example..com"], host: "example.com", matches: false),
        Case(names: ["example.com\0.attacker.net"], host: "example.com", matches: false),
        Case(names: ["https://example.com"], host: "example.com", matches: false),
        Case(names: [" example.com"], host: "example.com", matches: false),
        // Addresses are compared only with addresses.
        Case(addresses: ["192.0.2.1"], host: "192.0.2.1", matches: true),
        Case(addresses: ["192.0.2.1"], host: "192.0.2.2", matches: false),
        Case(addresses: ["127.0.0.1"], host: "0x7f.1", matches: true),
        Case(names: ["192.0.2.1"], host: "192.0.2.1", matches: false),
        Case(names: ["*.0.2.1"], host: "192.0.2.1", matches: false),
        Case(addresses: ["2001:db8::1"], host: "[2001:DB8:0::1]", matches: true),
        Case(addresses: ["2001:db8::1"], host: "2001:db8::2", matches: false),
        Case(names: ["2001:db8::1"], host: "2001:db8::1", matches: false),
        Case(addresses: ["192.0.2.1"], host: "::ffff:192.0.2.1", matches: true),
        Case(addresses: ["::c000:201"], host: "192.0.2.1", matches: false),
        Case(names: ["localhost"], host: "127.0.0.1", matches: false),
        Case(addresses: ["127.0.0.1"], host: "localhost", matches: false),
    ]

    let scene = TrustScene()
    let root: Identity

    init() throws {
        root = try scene.factory.authority("Root", .init(key: .shared(.p256, "host check")))
    }

    @Test("matches names and addresses of certificates", arguments: cases)
    func table(test: Case) throws {
        let leaf = try scene.factory.leaf(
            test.names, ipAddresses: test.addresses, signedBy: root, .with { $0.commonName = "server" })
        let verdict = try scene.system([leaf], anchors: [root], host: test.host)
        if test.matches {
            #expect(verdict.decision == .allow, "\(verdict)")
        } else {
            expectOnly(.hostMismatch, verdict)
            // Only the name refuses this server.
            #expect(
                try scene.outcome([leaf], anchors: [root], scene.options { $0.host = nil }).finding.code == .validPath)
        }
    }

    @Test("a mismatch contains the requested host and the names in the certificate")
    func facts() throws {
        let leaf = try scene.factory.leaf(["a.test", "b.test"], ipAddresses: ["10.0.0.1"], signedBy: root)
        let finding = try scene.system([leaf], anchors: [root]).finding
        #expect(finding.facts.host == TrustScene.host)
        #expect(finding.facts.presentedNames == ["a.test", "b.test", "10.0.0.1"])
        #expect(
            finding.reason == "The certificate is not valid for chat.example.com. Its names: a.test, b.test, 10.0.0.1.")
    }

    @Test("a common name is never used as a host, with and without alternative names")
    func commonName() throws {
        let alone = try scene.factory.leaf(
            [TrustScene.host], signedBy: root, .init(omitting: [.subjectAlternativeName]))
        #expect(alone.view.subject == "CN=chat.example.com")
        let verdict = try scene.system([alone], anchors: [root])
        expectOnly(.hostMismatch, verdict)
        #expect(verdict.finding.reason.contains("Its names: none."))
        let beside = try scene.factory.leaf(
            ["other.example.com"], signedBy: root, .with { $0.commonName = TrustScene.host })
        expectOnly(.hostMismatch, try scene.system([beside], anchors: [root]))
    }

    @Test("ignores names of other forms")
    func otherForms() throws {
        let text = Array(TrustScene.host.utf8)
        let forms = [
            DERBytes.context(1, constructed: false, Array("chat@".utf8) + text),
            DERBytes.context(6, constructed: false, Array("https://".utf8) + text + [0x2F]),
            DERBytes.context(4, constructed: true, CertificateName.der(TrustScene.host)),
            DERBytes.context(8, constructed: false, [0x2A, 0x03]),
        ]
        let leaf = try scene.factory.leaf([], signedBy: root, .with { $0.extraGeneralNames = forms })
        expectOnly(.hostMismatch, try scene.system([leaf], anchors: [root]))
    }

    @Test("an address with an invalid length makes the names malformed", arguments: [0, 3, 5, 8, 15, 17, 32])
    func addressLength(count: Int) throws {
        let name = DERBytes.context(7, constructed: false, Array(repeating: 1, count: count))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .with { $0.extraGeneralNames = [name] })
        #expect(try scene.system([leaf], anchors: [root]).finding.code == .malformedCertificate)
    }
}
