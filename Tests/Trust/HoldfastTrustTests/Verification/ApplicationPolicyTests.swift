import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Microsoft's application policies. A critical extension restricts the purposes like an extended key usage.
@Suite("Application policies")
struct ApplicationPolicyTests {
    let scene = TrustScene()
    let root: Identity

    init() throws {
        root = try scene.factory.authority("Root", .init(key: .shared(.p256, "application policies")))
    }

    private func judge(
        server: [ExtraExtension], issuer: [ExtraExtension] = [], usages: [ExtendedUsage]? = nil
    ) throws -> TrustVerdict {
        let issuing = try scene.factory.intermediate(
            "Issuing", signedBy: root, .with { $0.extraExtensions = issuer })
        let leaf = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing,
            .with {
                $0.extraExtensions = server
                $0.extendedKeyUsages = usages
            })
        return try scene.system([leaf, issuing], anchors: [root])
    }

    @Test("accepts critical application policies that include TLS servers")
    func accepted() throws {
        for usages: [ExtendedUsage] in [[.serverAuth], [.clientAuth, .serverAuth], [.any]] {
            #expect(try judge(server: [.applicationPolicies(usages)]).decision == .allow)
            #expect(try judge(server: [], issuer: [.applicationPolicies(usages)]).decision == .allow)
        }
    }

    @Test("refuses critical application policies for other purposes, also below an extended key usage for servers")
    func refused() throws {
        for usages: [ExtendedUsage] in [[.clientAuth], [.other("2.5.29.37.0")]] {
            expectOnly(.extendedKeyUsage, try judge(server: [.applicationPolicies(usages)]))
            expectOnly(.extendedKeyUsage, try judge(server: [], issuer: [.applicationPolicies(usages)]))
            // Other verifiers ignore an extension that is not critical.
            #expect(try judge(server: [.applicationPolicies(usages, isCritical: false)]).decision == .allow)
        }
        expectOnly(.extendedKeyUsage, try judge(server: [.applicationPolicies([.serverAuth])], usages: [.clientAuth]))
    }

    @Test("refuses malformed application policies and critical mappings of them")
    func malformed() throws {
        let identifier = "1.3.6.1.4.1.311.21.10"
        for value: [UInt8] in [[0x30, 0], [0x05, 0], [0x30, 2, 0x30, 0], [0x30, 2, 0x06, 0]] {
            let verdict = try judge(server: [ExtraExtension(identifier, isCritical: true, value: value)])
            expectOnly(.malformedCertificate, verdict)
            #expect(
                try judge(server: [ExtraExtension(identifier, isCritical: false, value: value)]).decision == .allow)
        }
        let many = (0..<101).map { ExtendedUsage.other("1.3.6.1.4.1.99999.6.\($0)") }
        expectOnly(.certificateLimitExceeded, try judge(server: [.applicationPolicies(many)]))
        for other in ["1.3.6.1.4.1.311.21.11", "1.3.6.1.4.1.311.21.12"] {
            expectOnly(.unhandledCriticalExtension, try judge(server: [ExtraExtension(other, isCritical: true)]))
        }
    }
}
