import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests backtracking. One of two certificates for the same authority leads to no valid path, and the search must try
/// the other one, in any order of the chain.
@Suite("Cross-signed authorities")
struct CrossSignedPathTests {
    /// The flaw of one of two certificates for the same authority.
    enum Flaw: CaseIterable {
        case expired, notYetValid, clientOnly, pathLength, excludedName, permittedElsewhere, noCA, noCertSign, sha1
        case brokenSignature, unknownCritical, duplicateExtension, foreignKey, unknownIssuer

        /// The finding that refuses the chain if there is no other certificate.
        var code: TrustFinding.Code {
            switch self {
            case .expired: .expired
            case .notYetValid: .notYetValid
            case .clientOnly: .extendedKeyUsage
            case .pathLength: .pathLengthExceeded
            case .excludedName, .permittedElsewhere: .nameConstraintViolation
            case .noCA: .notACertificateAuthority
            case .noCertSign: .keyUsage
            case .sha1: .weakSignature
            case .brokenSignature, .foreignKey: .badSignature
            case .unknownCritical: .unhandledCriticalExtension
            case .duplicateExtension: .malformedCertificate
            case .unknownIssuer: .unknownIssuer
            }
        }

        func apply(to options: inout CertificateOptions, now: Timestamp) throws {
            switch self {
            case .expired: options.notAfter = now.advanced(bySeconds: -1)
            case .notYetValid: options.notBefore = now.advanced(bySeconds: 1)
            case .clientOnly: options.extendedKeyUsages = [.clientAuth]
            case .pathLength: options.pathLength = 0
            case .excludedName: options.nameConstraints = NameConstraintSet(excludedDNSNames: ["example.com"])
            case .permittedElsewhere: options.nameConstraints = NameConstraintSet(permittedDNSNames: ["example.org"])
            case .noCA: options.isCA = false
            case .noCertSign: options.keyUsage = [.digitalSignature]
            case .sha1: options.signatureHash = .sha1
            case .brokenSignature: options.breaksSignature = true
            case .unknownCritical: options.extraExtensions = [ExtraExtension("1.3.6.1.4.1.99999.1", isCritical: true)]
            case .duplicateExtension: options.extraExtensions = [ExtraExtension("2.5.29.14", value: [4, 1, 1])]
            case .foreignKey: options.key = try Key()
            case .unknownIssuer: break
            }
        }
    }

    let scene = TrustScene()
    let root: Identity
    let stranger: Identity
    /// The upper authority without a flaw.
    let upper: Identity
    let lower: Identity
    let leaf: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        stranger = try scene.factory.authority("Stranger")
        upper = try scene.factory.intermediate("Upper", signedBy: root)
        lower = try scene.factory.intermediate("Lower", signedBy: upper)
        leaf = try scene.factory.leaf([TrustScene.host], signedBy: lower)
    }

    private func flawedUpper(_ flaw: Flaw) throws -> Identity {
        var options = CertificateOptions(key: upper.key)
        try flaw.apply(to: &options, now: scene.now)
        return try scene.factory.intermediate(
            "Upper", signedBy: flaw == .unknownIssuer ? stranger : root, options)
    }

    @Test("refuses the flawed certificate alone, with the finding of its flaw", arguments: Flaw.allCases)
    func alone(flaw: Flaw) throws {
        expectOnly(flaw.code, try scene.system([leaf, lower, flawedUpper(flaw)], anchors: [root]))
    }

    @Test("skips the flawed certificate if a valid one is present, in any order", arguments: Flaw.allCases)
    func besideSound(flaw: Flaw) throws {
        let flawed = try flawedUpper(flaw)
        for presented in [[leaf, lower, flawed, upper], [leaf, lower, upper, flawed], [leaf, flawed, upper, lower]] {
            let verdict = try scene.system(presented, anchors: [root])
            #expect(verdict.path?.certificates == [leaf.view, lower.view, upper.view, root.view], "\(verdict)")
        }
    }

    @Test(
        "skips a flawed anchor if another one is valid", arguments: [Flaw.expired, .clientOnly, .noCA, .excludedName])
    func flawedAnchor(flaw: Flaw) throws {
        var options = CertificateOptions(key: root.key)
        try flaw.apply(to: &options, now: scene.now)
        let flawed = try scene.factory.authority("Root", options)
        expectOnly(flaw.code, try scene.system([leaf, lower, upper], anchors: [flawed]))
        for roots in [[flawed, root], [root, flawed]] {
            #expect(try scene.system([leaf, lower, upper], anchors: roots).path?.certificates.last == root.view)
        }
    }

    @Test("finds the pinned one of two valid paths, in any order")
    func pinnedPath() throws {
        let other = try scene.factory.authority("Other root")
        let crossed = try scene.factory.intermediate("Upper", signedBy: other, .init(key: upper.key))
        for presented in [[leaf, lower, upper, crossed], [leaf, lower, crossed, upper]] {
            for roots in [[root, other], [other, root]] {
                for wanted in [root, other] {
                    let verdict = try scene.pinned(
                        presented, anchors: roots, under: scene.policy([Pin(wanted)]))
                    #expect(verdict.finding.code == .pinMatched)
                    #expect(verdict.path?.certificates.last == wanted.view)
                }
            }
        }
    }

    @Test("the pinned path itself must be valid, even if another path is valid")
    func pinnedPathInvalid() throws {
        let other = try scene.factory.authority("Other root", .init(notAfter: scene.now.advanced(bySeconds: -1)))
        let crossed = try scene.factory.intermediate("Upper", signedBy: other, .init(key: upper.key))
        let verdict = try scene.pinned(
            [leaf, lower, crossed, upper], anchors: [root, other], under: scene.policy([Pin(other)]))
        expectOnly(.pinMismatch, verdict)
        #expect(verdict.systemFinding?.code == .validPath)
        #expect(verdict.path?.certificates.last == root.view)
    }

    @Test("a wrong key identifier changes the order of the search but not its result")
    func misleadingKeyIdentifiers() throws {
        // The leaf refers to the wrong one of two authorities with the same name.
        let decoy = try scene.factory.intermediate("Lower", signedBy: upper)
        let leaf = try scene.factory.leaf(
            [TrustScene.host], signedBy: lower,
            .with { $0.authorityKeyIdentifier = Array(decoy.spkiDigest.bytes.prefix(20)) })
        #expect(try scene.system([leaf, decoy, lower, upper], anchors: [root]).decision == .allow)
        #expect(try scene.system([leaf, lower, decoy, upper], anchors: [root]).decision == .allow)
    }

    @Test("finds a path without key identifiers")
    func noKeyIdentifiers() throws {
        let bare: Set<StandardExtension> = [.subjectKeyIdentifier, .authorityKeyIdentifier]
        let root = try scene.factory.authority("Bare root", .init(omitting: bare))
        let issuing = try scene.factory.intermediate("Bare issuing", signedBy: root, .init(omitting: bare))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: issuing, .init(omitting: bare))
        #expect(try scene.system([leaf, issuing], anchors: [root]).decision == .allow)
    }
}
