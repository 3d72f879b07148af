import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Extended key usage")
struct ExtendedKeyUsageTests {
    struct Case: CustomTestStringConvertible {
        var usages: [ExtendedUsage]?
        var isAllowed: Bool

        var testDescription: String { "\(usages.map { "\($0)" } ?? "absent") → \(isAllowed ? "allow" : "block")" }
    }

    static let cases: [Case] = [
        Case(usages: nil, isAllowed: true),
        Case(usages: [.serverAuth], isAllowed: true),
        Case(usages: [.clientAuth, .serverAuth], isAllowed: true),
        Case(usages: [.any], isAllowed: true),
        Case(usages: [.clientAuth], isAllowed: false),
        Case(usages: [.codeSigning, .emailProtection, .ocspSigning], isAllowed: false),
        // These identifiers have one arc more or one less than serverAuth.
        Case(usages: [.other("1.3.6.1.5.5.7.3.1.1"), .other("1.3.6.1.5.5.7.3")], isAllowed: false),
        // "Server gated cryptography" of Netscape and Microsoft is not the same as serverAuth.
        Case(usages: [.other("2.16.840.1.113730.4.1"), .other("1.3.6.1.4.1.311.10.3.3")], isAllowed: false),
    ]

    let scene = TrustScene()

    private func options(_ usages: [ExtendedUsage]?, isCritical: Bool) -> CertificateOptions {
        .with {
            $0.extendedKeyUsages = usages
            if usages == nil { $0.omitting = [.extendedKeyUsage] }
            if isCritical { $0.critical.insert(.extendedKeyUsage) }
        }
    }

    @Test("in the leaf, an intermediate and the root, critical or not", arguments: cases, [false, true])
    func usages(of test: Case, isCritical: Bool) throws {
        let own = options(test.usages, isCritical: isCritical)
        for place in 0..<3 {
            let root = try scene.factory.authority("Root", place == 2 ? own : .init())
            let issuing = try scene.factory.intermediate("Issuing", signedBy: root, place == 1 ? own : .init())
            let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing, place == 0 ? own : .init())
            let verdict = try scene.system([leaf, issuing], anchors: [root])
            if test.isAllowed {
                #expect(verdict.decision == .allow, "\(verdict)")
            } else {
                expectOnly(.extendedKeyUsage, verdict)
            }
        }
    }

    @Test("an empty list is malformed")
    func empty() throws {
        let root = try scene.factory.authority("Root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root, .init(extendedKeyUsages: []))
        #expect(try scene.system([leaf], anchors: [root]).finding.code == .malformedCertificate)
    }
}
