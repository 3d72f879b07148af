import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("Advice on pins") struct PinAdviceTests {
    let world: AdviceWorld

    init() throws { world = try AdviceWorld() }

    private var chain: PinAdvice.Chain { world.chain([world.leaf, world.intermediate]) }

    @Test func leafAndBackupAreAdvised() throws {
        let backup = try world.backup()
        let advice = world.advice([chain], backups: [backup])
        #expect(advice.keys.map(\.role) == [.leaf, .intermediate, .root, .backup])
        #expect(advice.ownKeys.isAdvised)
        #expect(advice.ownKeys.keys.map(\.key.digest) == [world.leaf.spkiDigest, backup.key.digest])
        #expect(advice.ownKeys.keys.map(\.pin.scope) == [.leaf, .leaf])
        #expect(advice.authorityKeys.isAdvised)
        #expect(advice.authorityKeys.keys.map(\.pin.scope) == [.ca, .leaf])
        #expect(advice.commands.isEmpty)
    }

    @Test func eachKeyHasItsEndAndSurvival() {
        let advice = world.advice([chain])
        for identity in [world.leaf, world.intermediate, world.root] {
            #expect(advice.key(of: identity)?.ends == identity.view.notAfter)
        }
        #expect(
            advice.key(of: world.leaf)?.survival
                == PinSurvival(sameKey: .yes, newKey: .no, newIntermediate: .yes, newAuthority: .yes))
        #expect(
            advice.key(of: world.intermediate)?.survival
                == PinSurvival(sameKey: .yes, newKey: .yes, newIntermediate: .no, newAuthority: .no))
        #expect(
            advice.key(of: world.root)?.survival
                == PinSurvival(sameKey: .yes, newKey: .yes, newIntermediate: .sameRoot, newAuthority: .no))
    }

    /// The survival of a key is what the engine decides about the changed chain.
    @Test func survivalIsWhatTheEngineDecides() throws {
        let factory = world.factory
        let otherRoot = try factory.authority("Other Root")
        let otherIntermediate = try factory.intermediate("Other Intermediate", signedBy: world.root)
        let kept = CertificateOptions(key: world.leaf.key)
        let changes: [(WritableKeyPath<PinSurvival, PinSurvival.Outcome>, Identity, [Identity])] = [
            (\.sameKey, try factory.leaf(["api.example"], signedBy: world.intermediate, kept), [world.intermediate]),
            (\.newKey, try factory.leaf(["api.example"], signedBy: world.intermediate), [world.intermediate]),
            (\.newIntermediate, try factory.leaf(["api.example"], signedBy: otherIntermediate), [otherIntermediate]),
            (\.newAuthority, try factory.leaf(["api.example"], signedBy: otherRoot), []),
        ]
        let engine = TrustEngine(anchors: .only([world.root.view, otherRoot.view]))
        for key in world.advice([chain]).keys {
            let rule = PinningRule(host: .sample, pins: PinSet([key.pin]))
            let policy = try PinningPolicy(name: "one", rules: [rule], backupPins: .off)
            for (change, leaf, issuers) in changes {
                // A change of the authority concerns the key of the server only if the operator keeps it.
                let keeps = key.role == .leaf && (change == \.newIntermediate || change == \.newAuthority)
                let issuer = issuers.first ?? otherRoot
                let renewed = keeps ? try factory.leaf(["api.example"], signedBy: issuer, kept) : leaf
                let verdict = engine.evaluate(
                    PresentedChain(([renewed] + issuers).map(\.view)), for: TrustSubject(host: .sample),
                    at: CertificateFactory.referenceTime, under: policy)
                #expect(
                    (verdict.decision == .allow) == (key.survival?[keyPath: change] != .no), "\(key.role) \(change)")
            }
        }
    }

    @Test func leafIsNeverAdvisedWithoutBackup() {
        let advice = world.advice([chain])
        #expect(!advice.ownKeys.isAdvised)
        #expect(!advice.authorityKeys.isAdvised)
        #expect(advice.ownKeys.missing == ["a backup key is missing"])
        #expect(advice.codes.contains(.noBackup))
        #expect(advice.commands.first?.hasPrefix("openssl genpkey -algorithm EC") == true)
        #expect(advice.policy(for: advice.ownKeys) == nil)
        #expect(advice.policy(for: advice.authorityKeys) == nil)
    }

    @Test func currentKeyIsNotItsOwnBackup() {
        let same = PinAdvice.Key(source: "backup.pem", key: PublicKeyInfo(world.leaf.view))
        let advice = world.advice([chain], backups: [same])
        #expect(!advice.ownKeys.isAdvised)
        #expect(advice.codes.isSuperset(of: [.sameKey, .noBackup]))
    }

    /// An attacker intercepts the connection and presents a chain of its own. Its keys would be pinned forever.
    @Test func keysOfAnUnverifiedChainAreNotAdvised() throws {
        let backup = try world.backup()
        let attacker = try world.factory.authority("Attacker")
        let fake = try world.factory.leaf(["api.example"], signedBy: attacker)
        let forged = world.chain([fake, attacker], isServer: true)
        let advice = world.advice([forged], backups: [backup])
        #expect(!advice.ownKeys.isAdvised)
        #expect(!advice.authorityKeys.isAdvised)
        #expect(advice.key(of: attacker)?.role == .unverified)
        #expect(advice.codes.contains(.unverifiedChain))
        // The same chain is advised if the attacker's authority is an anchor.
        let trusted = world.chain([fake, attacker], anchors: [attacker], isServer: true)
        #expect(world.advice([trusted], backups: [backup]).ownKeys.isAdvised)
    }

    /// A server adds the certificate of an authority that did not issue its own.
    @Test func presentedCertificateThatIsNotOnThePathIsNotAdvised() throws {
        let stranger = try world.factory.authority("Stranger")
        let presented = world.chain([world.leaf, world.intermediate, stranger], anchors: [world.root, stranger])
        let advice = world.advice([presented], backups: [try world.backup()])
        #expect(advice.key(of: stranger)?.role == .unverified)
        #expect(advice.key(of: stranger)?.problem != nil)
        #expect(advice.codes.contains(.notOnPath))
        #expect(!advice.authorityKeys.keys.contains { $0.key.digest == stranger.spkiDigest })
    }

    @Test func crossSignedAuthorityHasTwoPaths() throws {
        let other = try world.factory.authority("Other Root")
        let cross = try world.factory.intermediate(
            "Root", signedBy: other, CertificateOptions(key: world.root.key))
        let presented = world.chain([world.leaf, world.intermediate, cross], anchors: [world.root, other])
        #expect(presented.paths.paths.count == 2)
        let advice = world.advice([presented], backups: [try world.backup()])
        let root = try #require(advice.key(of: world.root))
        #expect(root.role == .root && root.paths == 2 && root.certificates.count == 2)
        #expect(advice.key(of: other)?.paths == 1)
        #expect(advice.codes.isSuperset(of: [.severalPaths, .crossSigned]))
        // With one anchor, only one path exists.
        #expect(world.chain([world.leaf, world.intermediate, cross]).paths.paths.count == 1)
    }

    @Test func anotherChainsKeyAndRootAreBackups() throws {
        let otherRoot = try world.factory.authority("Other Root")
        let next = try world.factory.leaf(["api.example"], signedBy: otherRoot)
        let second = world.chain([next], anchors: [otherRoot], source: "next.pem")
        let advice = world.advice([chain, second])
        #expect(advice.key(of: next)?.role == .backup)
        #expect(advice.ownKeys.isAdvised)
        #expect(
            Set(advice.authorityKeys.keys.map(\.key.digest))
                == [world.root.spkiDigest, otherRoot.spkiDigest, next.spkiDigest])
    }

    @Test func unverifiedBackupInAFileIsAKeyOnly() throws {
        let selfSigned = try world.factory.leaf(["api.example"], signedBy: nil)
        let advice = world.advice([chain, world.chain([selfSigned], source: "backup.pem")])
        #expect(advice.ownKeys.isAdvised)
        #expect(advice.codes.contains(.unverifiedBackup))
        // The same certificate from a server may be an attacker's.
        let served = world.advice([chain, world.chain([selfSigned], source: "other:443", isServer: true)])
        #expect(!served.ownKeys.isAdvised)
    }

    @Test func certificateOfAnAuthorityOrAnotherHostIsNotABackup() throws {
        for identity in [
            try world.factory.authority("Lone Root"), world.root,
            try world.factory.leaf(["other.example"], signedBy: world.intermediate),
        ] {
            let advice = world.advice([chain, world.chain([identity], source: "file.pem")])
            #expect(!advice.ownKeys.isAdvised, "\(identity.view.subject)")
        }
    }

    @Test func weakBackupIsNotAdvised() throws {
        let weak = try world.backup("weak.pem", kind: .rsa1024)
        let advice = world.advice([chain], backups: [weak])
        #expect(!advice.ownKeys.isAdvised)
        #expect(advice.keys.last?.problem?.contains("1024 bits") == true)
        #expect(advice.codes.contains(.unusableKey))
    }

    @Test func deniedKeysAreNotAdvised() throws {
        let backup = try world.backup()
        #expect(world.advice([chain], backups: [backup]).ownKeys.isAdvised)
        for denied in [
            Pin(backup.key.digest), Pin(backup.key.rawKeyDigest), Pin(world.leaf.spkiDigest),
            Pin(world.leaf.view.certificateDigest), Pin(world.intermediate.spkiDigest),
        ] {
            #expect(!world.advice([chain], backups: [backup], denied: [denied]).ownKeys.isAdvised, "\(denied)")
        }
    }

    @Test func validityIsExplained() throws {
        let now = CertificateFactory.referenceTime
        for (days, code) in [(6, PinAdvice.Note.Code?.some(.shortLived)), (90, .frequentRenewal), (300, nil)] {
            let leaf = try world.factory.leaf(
                ["api.example"], signedBy: world.intermediate,
                CertificateOptions(notBefore: now, notAfter: now.advanced(bySeconds: Int64(days) * 86_400)))
            let codes = world.advice([world.chain([leaf, world.intermediate])]).codes
            #expect(codes.intersection([.shortLived, .frequentRenewal]) == Set([code].compactMap(\.self)), "\(days)")
        }
    }

    @Test func publicAndPrivateAnchorsAreExplained() {
        #expect(world.advice([chain]).codes.contains(.privateAuthority))
        let codes = world.advice([chain], publicRoots: [world.root]).codes
        #expect(codes.contains(.publicAuthority) && !codes.contains(.privateAuthority))
    }

    @Test func theNumberOfTriedAuthoritiesIsLimited() throws {
        let strangers = try (0...PinPaths.limit).map { try world.factory.authority("Stranger \($0)") }
        let paths = PinPaths(
            PresentedChain([world.leaf.view, world.intermediate.view]), host: .sample,
            engine: TrustEngine(anchors: .only([world.root.view])), roots: [world.root.view],
            at: CertificateFactory.referenceTime)
        #expect(!paths.isIncomplete && paths.paths.count == 1)
        let twins = try (0...PinPaths.limit).map { _ in try world.factory.authority("Root") }
        let many = world.chain([world.leaf, world.intermediate], anchors: [world.root] + twins + strangers)
        #expect(many.paths.isIncomplete)
        #expect(world.advice([many]).codes.contains(.incomplete))
    }
}
