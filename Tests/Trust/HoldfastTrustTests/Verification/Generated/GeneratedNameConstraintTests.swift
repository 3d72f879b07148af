import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Random chains with name constraints. An independent oracle gives the expected result.
@Suite("Generated name constraints")
struct GeneratedNameConstraintTests {
    static let blocks = 20
    static let casesPerBlock = 20

    let scene = TrustScene()

    @Test("the engine agrees with the oracle in every case", arguments: 0..<blocks)
    func agreement(block: Int) throws {
        var allowed = 0
        for index in 0..<Self.casesPerBlock {
            let seed = UInt64(block * Self.casesPerBlock + index)
            var random = SeededGenerator(seed: seed)
            let world = NameConstraintWorld(using: &random)
            let expected = NaiveNameConstraints.allow(world)
            let finding = try judge(world)
            allowed += expected ? 1 : 0
            if finding.code != (expected ? .validPath : .nameConstraintViolation) {
                Issue.record("seed \(seed): expected \(expected ? "allow" : "block"), got \(finding)\n\(world)")
            }
        }
        // A generator with only one result would test nothing.
        #expect(allowed > Self.casesPerBlock / 10 && allowed < Self.casesPerBlock * 9 / 10)
    }

    private func judge(_ world: NameConstraintWorld) throws -> TrustFinding {
        var above: Identity?
        var chain: [Identity] = []
        for (level, authority) in world.authorities.enumerated() {
            let options = try CertificateOptions.with {
                $0.key = try .shared(.p256, "name constraints \(level)")
                $0.organization = authority.organization
                $0.nameConstraints = constraints(authority)
            }
            let made =
                try above.map { try scene.factory.intermediate(authority.commonName, signedBy: $0, options) }
                ?? scene.factory.authority(authority.commonName, options)
            chain.insert(made, at: 0)
            above = made
        }
        let names = world.leafNames.map { name -> [UInt8] in
            switch name {
            case .dns(let text): DERBytes.context(2, constructed: false, Array(text.utf8))
            case .address(let bytes): DERBytes.context(7, constructed: false, bytes)
            }
        }
        let leaf = try scene.factory.leaf(
            [], signedBy: above,
            .with {
                $0.key = try .shared(.p256, "name constraints leaf")
                $0.organization = world.leafOrganization
                $0.extraGeneralNames = names
            })
        let anchors = chain.last.map { [$0] } ?? []
        return scene.outcome([leaf] + chain.dropLast(), anchors: anchors, VerificationOptions()).finding
    }

    private func constraints(_ authority: NameConstraintWorld.Authority) -> NameConstraintSet? {
        guard !authority.permitted.isEmpty || !authority.excluded.isEmpty else { return nil }
        var set = NameConstraintSet()
        for subtree in authority.permitted {
            switch subtree {
            case .dns(let text): set.permittedDNSNames.append(text)
            case .range(let bytes): set.permittedIPRanges.append(bytes)
            case .organization(let name): set.permittedDirectoryNames.append(CertificateName.der("", name))
            }
        }
        for subtree in authority.excluded {
            switch subtree {
            case .dns(let text): set.excludedDNSNames.append(text)
            case .range(let bytes): set.excludedIPRanges.append(bytes)
            case .organization(let name): set.excludedDirectoryNames.append(CertificateName.der("", name))
            }
        }
        return set
    }
}
