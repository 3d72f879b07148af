import HoldfastTestSupport
@testable import HoldfastTrust
import Synchronization
import Testing

/// Random sets of authorities. An independent brute-force oracle determines whether there is a valid path, one with the
/// pinned key, and one without the denied key.
@Suite("Generated paths")
final class GeneratedPathTests {
    static let blocks = 20
    static let casesPerBlock = 20

    let scene = TrustScene()
    let issuers = Mutex<[PathWorld.Party: Identity]>([:])

    @Test("the engine agrees with the oracle in every case", arguments: 0..<blocks)
    func agreement(block: Int) throws {
        var valid = 0
        for index in 0..<Self.casesPerBlock {
            let seed = UInt64(block * Self.casesPerBlock + index)
            var random = SeededGenerator(seed: seed)
            let world = PathWorld(using: &random)
            let oracle = PathOracle(world)
            valid += oracle.isValid ? 1 : 0
            try compare(world, oracle, seed)
        }
        // A generator with only one result would test nothing.
        #expect(valid > Self.casesPerBlock / 5 && valid < Self.casesPerBlock * 9 / 10)
    }

    private func compare(_ world: PathWorld, _ oracle: PathOracle, _ seed: UInt64) throws {
        let leaf = try mint(world.leaf, isLeaf: true)
        let chain = try [leaf] + world.presented.map { try mint($0) }
        let roots = try world.roots.map { try mint($0) }
        func expect(_ isExpected: Bool, _ verdict: TrustVerdict, _ what: String) {
            guard (verdict.decision == .allow) == isExpected, verdict.finding.code != .budgetExceeded else {
                Issue.record("seed \(seed), \(what): expected \(isExpected), got \(verdict)\n\(world)")
                return
            }
        }
        expect(oracle.isValid, try scene.system(chain, anchors: roots), "valid path")

        let pin = Pin(try key(world.pinned).spkiDigest)
        let pinned = try scene.pinned(chain, anchors: roots, under: scene.policy([pin]))
        expect(oracle.hasValidPath(with: world.pinned), pinned, "pinned path")
        if oracle.isValid, pinned.decision == .block, pinned.finding.code != .pinMismatch {
            Issue.record("seed \(seed): a valid path without the pin must be a mismatch, got \(pinned.finding)")
        }

        // All keys are pinned, so that only the denied key affects the result.
        let everyKey = try (0..<12).map { Pin(try key($0).spkiDigest) } + [Pin(leaf)]
        let denied = Pin(try key(world.denied).spkiDigest)
        let judged = try scene.pinned(chain, anchors: roots, under: scene.policy(everyKey, denied: [denied]))
        expect(oracle.hasValidPath(without: world.denied), judged, "path without the denied key")

        // If pins are only reported, any valid path without the denied key is sufficient.
        let stranger = Pin(try key(98).spkiDigest)
        let reported = try scene.pinned(
            chain, anchors: roots, under: scene.policy([stranger], denied: [denied]) { $0.enforcement = .reportOnly })
        expect(oracle.hasValidPath(without: world.denied), reported, "reported path without the denied key")
    }

    // MARK: - Certificates

    /// Returns an issuer with a name and a key identifier. The signing key is a separate parameter.
    private func issuer(_ party: PathWorld.Party) throws -> Identity {
        if let known = issuers.withLock({ $0[party] }) { return known }
        let made = try scene.factory.authority("Party \(party.name)", .init(key: key(party.key)))
        issuers.withLock { $0[party] = made }
        return made
    }

    private func key(_ number: Int) throws -> Key {
        try .shared(.p256, "path world \(number)")
    }

    private func mint(_ certificate: PathWorld.Certificate, isLeaf: Bool = false) throws -> Identity {
        let issuer = try issuer(certificate.issuer)
        var options = CertificateOptions(key: try key(certificate.subject.key), pathLength: certificate.pathLength)
        options.signingKey = try key(certificate.signer)
        switch certificate.identifiers {
        case .right: break
        case .missing: options.omitting = [.subjectKeyIdentifier, .authorityKeyIdentifier]
        case .misleading:
            options.subjectKeyIdentifier = [UInt8](repeating: UInt8(certificate.issuer.key), count: 20)
            options.authorityKeyIdentifier = [UInt8](repeating: UInt8(certificate.subject.key), count: 20)
        }
        for defect in certificate.defects { try apply(defect, to: &options) }
        return isLeaf
            ? try scene.factory.leaf([TrustScene.host], signedBy: issuer, options)
            : try scene.factory.intermediate("Party \(certificate.subject.name)", signedBy: issuer, options)
    }

    private func apply(_ defect: PathWorld.Defect, to options: inout CertificateOptions) throws {
        switch defect {
        case .expired: options.notAfter = scene.now.advanced(bySeconds: -1)
        case .notYetValid: options.notBefore = scene.now.advanced(bySeconds: 1)
        case .noCA: options.isCA = false
        case .noCertSign: options.keyUsage = [.crlSign]
        case .clientOnly: options.extendedKeyUsages = [.clientAuth]
        case .sha1: options.signatureHash = .sha1
        case .brokenSignature: options.breaksSignature = true
        case .unknownCritical: options.extraExtensions = [ExtraExtension("1.3.6.1.4.1.99999.1", isCritical: true)]
        case .excludesHost: options.nameConstraints = NameConstraintSet(excludedDNSNames: [TrustScene.host])
        case .permitsElsewhere: options.nameConstraints = NameConstraintSet(permittedDNSNames: ["example.org"])
        case .shortKey: options.publicKeyInfo = try Key.shared(.rsa1024, "short").publicKeyInfo
        }
    }
}
