import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests what the documented mode of the chat SDK accepts.
@Suite("Pinned keys only")
struct PinnedKeysOnlyTests {
    let scene = TrustScene()
    let root: Identity
    let issuing: Identity
    let server: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        issuing = try scene.factory.intermediate("Issuing", signedBy: root)
        server = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
    }

    private func listed(
        _ identities: Identity..., host: PinnedKeysOnly.HostnameVerification = .automatic
    ) -> PinnedKeysOnly {
        PinnedKeysOnly(certificates: identities.map(\.view), hostnameVerification: host)
    }

    private var past: Timestamp { scene.now.advanced(bySeconds: -1) }

    // MARK: - The server's own key

    @Test(
        "accepts the server's own key even if it is expired, self-signed, for another host, or of an unknown authority")
    func leafMatch() throws {
        let key = server.key
        let stranger = try scene.factory.authority("Stranger")
        let accepted = try [
            server,
            scene.factory.leaf([TrustScene.host], signedBy: nil, .init(key: key)),
            scene.factory.leaf([TrustScene.host], signedBy: issuing, .init(key: key, notAfter: past)),
            scene.factory.leaf(
                [TrustScene.host], signedBy: issuing, .init(key: key, notBefore: scene.now.advanced(bySeconds: 9))),
            scene.factory.leaf(["other.example.org"], signedBy: issuing, .init(key: key)),
            scene.factory.leaf([TrustScene.host], signedBy: stranger, .init(key: key)),
            scene.factory.leaf([TrustScene.host], signedBy: issuing, .init(key: key, extendedKeyUsages: [.clientAuth])),
            scene.factory.leaf(
                [TrustScene.host], signedBy: issuing,
                .with {
                    $0.key = key
                    $0.signatureHash = .sha1
                }),
        ]
        for leaf in accepted {
            let verdict = try scene.pinnedKeysOnly([leaf], listed(server))
            #expect(verdict.decision == .allow, "\(verdict)")
            #expect(verdict.finding.code == .pinMatched)
            #expect(verdict.finding.facts.matchedPin == Pin(server))
            #expect(verdict.path?.certificates == [leaf.view])
            #expect(verdict.systemFinding == nil, "system verification does not run")
            #expect(verdict.permitsConnection)
        }
    }

    @Test("rotation: accepts any listed key in any certificate")
    func rotation() throws {
        let backup = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let renewed = try scene.factory.leaf([TrustScene.host], signedBy: issuing, .init(key: backup.key))
        #expect(try scene.pinnedKeysOnly([renewed], listed(server, backup)).decision == .allow)
        let verdict = try scene.pinnedKeysOnly([renewed], listed(server))
        #expect(verdict.decision == .block)
        #expect(verdict.finding.code == .pinMismatch)
        #expect(verdict.notices.map(\.code) == [.unknownIssuer])
    }

    // MARK: - A CA's key

    @Test("accepts a new leaf below a listed authority, expired or not, sent or not")
    func authorityMatch() throws {
        let expired = try scene.factory.leaf([TrustScene.host], signedBy: issuing, .init(notAfter: past))
        let fresh = try scene.factory.leaf([TrustScene.host], signedBy: issuing)
        for leaf in [fresh, expired] {
            for sent in [[leaf], [leaf, issuing], [leaf, issuing, root], [leaf, root, issuing]] {
                let verdict = try scene.pinnedKeysOnly(sent, listed(issuing))
                #expect(verdict.decision == .allow, "\(verdict)")
                #expect(verdict.path?.certificates == [leaf.view, issuing.view])
            }
        }
    }

    @Test("accepts a listed root above a sent intermediate, and refuses the chain without the intermediate")
    func rootMatch() throws {
        let verdict = try scene.pinnedKeysOnly([server, issuing], listed(root))
        #expect(verdict.path?.certificates == [server.view, issuing.view, root.view])
        expectOnlyMismatch(try scene.pinnedKeysOnly([server], listed(root)))
    }

    @Test("accepts an expired listed authority")
    func expiredAuthority() throws {
        let old = try scene.factory.intermediate("Old", signedBy: root, .init(notAfter: past))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: old)
        #expect(try scene.pinnedKeysOnly([leaf], listed(old)).decision == .allow)
    }

    @Test("accepts a renewed certificate with the key of the listed one")
    func renewedAuthority() throws {
        let renewed = try scene.factory.intermediate("Issuing", signedBy: root, .init(key: issuing.key))
        #expect(try scene.pinnedKeysOnly([server, renewed], listed(issuing)).decision == .allow)
        // The listed certificate confirms the key, and the sent one contains its current name.
        let renamed = try scene.factory.intermediate("Issuing G2", signedBy: root, .init(key: issuing.key))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: renamed)
        let verdict = try scene.pinnedKeysOnly([leaf, renamed], listed(issuing))
        #expect(verdict.decision == .allow, "\(verdict)")
        #expect(verdict.path?.certificates == [leaf.view, issuing.view])
        expectOnlyMismatch(try scene.pinnedKeysOnly([leaf], listed(issuing)))
    }

    @Test("with pins by hash, the server must send the authority")
    func hashes() throws {
        let pins = PinnedKeysOnly(certificates: [], pins: [Pin(issuing)])
        #expect(try scene.pinnedKeysOnly([server, issuing], pins).decision == .allow)
        expectOnlyMismatch(try scene.pinnedKeysOnly([server], pins))
    }

    @Test("pins by hash apply only in their scope")
    func scopes() throws {
        func decision(_ pin: Pin) throws -> TrustDecision {
            try scene.pinnedKeysOnly([server, issuing], PinnedKeysOnly(certificates: [], pins: [pin])).decision
        }
        #expect(try decision(Pin(server, .leaf)) == .allow)
        #expect(try decision(Pin(server, .ca)) == .block)
        #expect(try decision(Pin(issuing, .ca)) == .allow)
        #expect(try decision(Pin(issuing, .leaf)) == .block)
        #expect(try decision(Pin(server.view.rawKeyDigest)) == .allow)
        #expect(try decision(Pin(issuing.view.certificateDigest)) == .allow)
    }

    // MARK: - Host names

    @Test(
        "checks the host name as the mode specifies",
        arguments: PinnedKeysOnly.HostnameVerification.allCases)
    func hostNames(mode: PinnedKeysOnly.HostnameVerification) throws {
        let other = try scene.factory.leaf(["other.example.org"], signedBy: issuing)
        let leafMatch = try scene.pinnedKeysOnly([other, issuing], listed(other, host: mode))
        let authorityMatch = try scene.pinnedKeysOnly([other, issuing], listed(issuing, host: mode))
        #expect((leafMatch.decision == .allow) == (mode != .always))
        #expect((authorityMatch.decision == .allow) == (mode == .never))
        for refused in [leafMatch, authorityMatch] where refused.decision == .block {
            expectOnly(.hostMismatch, refused)
            #expect(refused.finding.facts.presentedNames == ["other.example.org"])
        }
        // All three modes accept the correct host.
        #expect(try scene.pinnedKeysOnly([server], listed(server, host: mode)).decision == .allow)
        #expect(try scene.pinnedKeysOnly([server], listed(issuing, host: mode)).decision == .allow)
    }

    // MARK: - Unusable lists

    @Test("an empty list or a list of unreadable certificates refuses every server and names the reason")
    func unusableLists() throws {
        let empty = try scene.pinnedKeysOnly([server], PinnedKeysOnly(certificates: []))
        expectOnly(.noUsablePins, empty)
        #expect(empty.finding.reason.contains("empty"))
        let unreadable = try scene.pinnedKeysOnly([server], PinnedKeysOnly(certificates: [], unreadableCount: 3))
        expectOnly(.noUsablePins, unreadable)
        #expect(unreadable.finding.reason.contains("All 3 trusted certificates"))
        // This finding takes precedence over problems of the server.
        #expect(try scene.pinnedKeysOnly([], PinnedKeysOnly(certificates: [])).finding.code == .noUsablePins)
    }

    @Test("ignores an unreadable certificate in the list")
    func partlyReadable() throws {
        let pins = PinnedKeysOnly(certificates: [server.view], unreadableCount: 1)
        #expect(try scene.pinnedKeysOnly([server], pins).decision == .allow)
    }

    @Test("refuses an empty chain and an unreadable leaf")
    func unreadableChain() throws {
        expectOnly(.noCertificates, try scene.pinnedKeysOnly([], listed(server)))
        let verdict = try PinnedKeysVerification(pins: listed(server))
            .evaluate(PresentedChain(der: [[1, 2, 3], server.certificateDER]), for: scene.subject(), at: scene.now)
        expectOnly(.unreadableLeaf, verdict)
    }

    private func expectOnlyMismatch(_ verdict: TrustVerdict, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(verdict.decision == .block, "\(verdict)", sourceLocation: sourceLocation)
        #expect(verdict.finding.code == .pinMismatch, "\(verdict)", sourceLocation: sourceLocation)
    }
}
