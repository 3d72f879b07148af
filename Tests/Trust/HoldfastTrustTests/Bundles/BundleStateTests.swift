import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests that a bundle can change the pinned keys, and that no defect of a bundle weakens the policy.
@Suite("Signed pin bundles")
struct BundleStateTests {
    static let application = "com.example.shop"
    let now = CertificateFactory.referenceTime
    let signer: BundleSigningKey
    let keys: [BundleKey]

    init() throws {
        signer = BundleSigningKey(generating: .ed25519, id: "2031-a")
        keys = [try BundleKey(id: "2031-a", publicKey: Array(signer.publicKeyPEM.utf8))]
    }

    private func pin(_ number: UInt8) -> String {
        SPKIDigest(hashing: [number]).description
    }

    private func policy(_ domains: String, more: String = "") -> [UInt8] {
        Array(#"{"holdfast": 1, "name": "shop", "domains": [\#(domains)]\#(more)}"#.utf8)
    }

    private func rule(_ host: String, _ first: UInt8 = 1, more: String = "") -> String {
        #"{"host": "\#(host)", "pins": ["\#(pin(first))", "\#(pin(first + 1))"]\#(more)}"#
    }

    private func state(_ permissions: BundlePermissions = [], version: Int64 = 3) throws -> BundleState {
        BundleState(
            embedded: try PinningPolicy(
                holdfastJSON: policy(rule("example.com", more: #", "includesSubdomains": true"#))),
            version: version, keys: keys, application: BundleStateTests.application, permissions: permissions)
    }

    private func bundle(
        _ policy: [UInt8]? = nil, version: Int64 = 4, application: String = BundleStateTests.application,
        from start: Int64 = -10, until end: Int64 = 10, by key: BundleSigningKey? = nil
    ) throws -> [UInt8] {
        let standard = self.policy(rule("example.com", 7, more: #", "includesSubdomains": true"#))
        return try SignedBundle.sign(
            policy: policy ?? standard, application: application, version: version,
            notBefore: now.advanced(bySeconds: start), notAfter: now.advanced(bySeconds: end), with: key ?? signer
        ).bytes
    }

    /// Offers a bundle to a new state and expects this error and an unchanged state.
    private func expectRefusal(
        _ code: BundleError.Code, _ bytes: [UInt8], _ permissions: BundlePermissions = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var state = try state(permissions)
        let before = state.policy
        var refused: BundleError.Code?
        do throws(BundleError) { try state.offer(bytes, at: now) } catch { refused = error.code }
        #expect(refused == code, sourceLocation: sourceLocation)
        #expect(state.policy == before, sourceLocation: sourceLocation)
        #expect(state.version == 3, sourceLocation: sourceLocation)
        #expect(state.origin == .embedded, sourceLocation: sourceLocation)
    }

    @Test(arguments: BundleAlgorithm.allCases)
    func validBundleIsAcceptedOnce(_ algorithm: BundleAlgorithm) throws {
        let signer = BundleSigningKey(generating: algorithm, id: "k")
        let key = try BundleKey(id: "k", publicKey: Array(signer.publicKeyPEM.utf8))
        #expect(key.algorithm == algorithm)
        var state = BundleState(
            embedded: try state().policy, version: 1, keys: [key], application: BundleStateTests.application)
        let bytes = try bundle(by: signer)
        #expect(try state.offer(bytes, at: now) == .taken)
        #expect(try state.offer(bytes, at: now) == .unchanged)
        #expect(state.version == 4)
        let host = try CanonicalHost("www.example.com")
        #expect(state.policy.rules(covering: host).first?.pins.pins.contains { $0.description == pin(7) } == true)
    }

    @Test(arguments: BundleAlgorithm.allCases)
    func keyRoundTrip(_ algorithm: BundleAlgorithm) throws {
        let signer = BundleSigningKey(generating: algorithm, id: "k")
        let again = try BundleSigningKey(id: "k", pem: Array(signer.privateKeyPEM.utf8))
        #expect(again.algorithm == algorithm)
        #expect(again.publicKeyPEM == signer.publicKeyPEM)
    }

    @Test func refusesOtherKeys() throws {
        let thief = BundleSigningKey(generating: .ed25519, id: "2031-a")
        try expectRefusal(.badSignature, try bundle(by: thief))
        let stranger = BundleSigningKey(generating: .ed25519, id: "2031-b")
        try expectRefusal(.unknownKey, try bundle(by: stranger))
        let otherKind = BundleSigningKey(generating: .es256, id: "2031-a")
        try expectRefusal(.algorithmMismatch, try bundle(by: otherKind))
    }

    @Test func detectsEveryChangedByte() throws {
        let bytes = try bundle()
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            var changed = bytes
            let place = Int.random(in: changed.indices, using: &generator)
            changed[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
            var state = try state()
            if (try? state.offer(changed, at: now)) == .taken {
                // White space in the envelope is not signed and has no meaning.
                #expect(
                    state.policy == (try SignedBundle(bytes).verify(keys: keys, application: Self.application).policy))
            }
        }
    }

    @Test func refusesBundleForOtherApplication() throws {
        try expectRefusal(.wrongApplication, try bundle(application: "com.example.bank"))
    }

    @Test func versionMustIncrease() throws {
        try expectRefusal(.rollback, try bundle(version: 2))
        try expectRefusal(.versionReused, try bundle(version: 3))
        var state = try state()
        try state.offer(try bundle(version: 5), at: now)
        var refused: BundleError.Code?
        let other = try bundle(policy(rule("example.com", 9, more: #", "includesSubdomains": true"#)), version: 5)
        do throws(BundleError) { try state.offer(other, at: now) } catch { refused = error.code }
        #expect(refused == .versionReused)
    }

    @Test func bundleStaysInForceAfterFreshness() throws {
        try expectRefusal(.notYetValid, try bundle(from: 1, until: 10))
        try expectRefusal(.expired, try bundle(from: -10, until: -1))
        var state = try state()
        try state.offer(try bundle(), at: now)
        let later = now.advanced(bySeconds: 11)
        #expect(!state.isStale(at: now) && state.isStale(at: later))
        #expect(state.version == 4, "a stale policy stays in force")
    }

    @Test func restoreVerifiesFile() throws {
        let bytes = try bundle(from: -10, until: -1)
        var restored = try state()
        #expect(try restored.restore(bytes, at: now) == .taken, "a bundle accepted in time stays in force")
        var damaged = bytes
        damaged[bytes.count / 2] ^= 1
        var fresh = try state()
        #expect(throws: BundleError.self) { try fresh.restore(damaged, at: now) }
        #expect(fresh.version == 3)
        var newer = try state(version: 9)
        #expect(throws: BundleError.self) { try newer.restore(bytes, at: now) }
        #expect(newer.version == 9, "an old bundle file must not replace a newer app policy")
    }

    @Test(arguments: [
        #"{"host": "other.example", "pins": ["P1", "P2"]}"#,
        #"{"host": "example.com", "pins": ["P1", "P2"]}"#,
        """
        {"host": "example.com", "includesSubdomains": true, "pins": ["P1", "P2"]}, \
        {"host": "pay.example.com", "excluded": true}
        """,
        """
        {"host": "example.com", "includesSubdomains": true, "pins": ["P1", "P2"], \
        "expires": "2001-01-01T00:00:00Z"}
        """,
    ])
    func lossOfProtectionNeedsPermission(_ domains: String) throws {
        let text = domains.replacing("P1", with: pin(1)).replacing("P2", with: pin(2))
        let bytes = try bundle(policy(text))
        try expectRefusal(.weakensPolicy, bytes)
        var state = try state(.unpin)
        #expect(try state.offer(bytes, at: now) == .taken)
    }

    /// Removes each field by which a rule can require several matches.
    @Test(arguments: [
        ("ca", #", "everyScopeMustMatch": true"#, "ca", ""),
        ("ca", #", "everyScopeMustMatch": true"#, "leaf", #", "everyScopeMustMatch": true"#),
        ("ca", #", "requiredScopes": ["ca"]"#, "ca", ""),
        ("ca", #", "requiredScopes": ["ca", "leaf"]"#, "ca", #", "requiredScopes": ["leaf"]"#),
    ])
    func requiredMatchesStayRequired(
        _ oldScope: String, _ oldFields: String, _ newScope: String, _ newFields: String
    ) throws {
        func text(_ number: UInt8, _ scope: String, _ fields: String) -> [UInt8] {
            let leaf = #"{"sha256": "\#(pin(number))", "scope": "leaf"}"#
            let other = #"{"sha256": "\#(pin(number + 1))", "scope": "\#(scope)"}"#
            return policy(#"{"host": "example.com", "pins": [\#(leaf), \#(other)]\#(fields)}"#)
        }
        func state(_ permissions: BundlePermissions) throws -> BundleState {
            BundleState(
                embedded: try PinningPolicy(holdfastJSON: text(1, oldScope, oldFields)), version: 3, keys: keys,
                application: BundleStateTests.application, permissions: permissions)
        }
        let weaker = try bundle(text(1, newScope, newFields))
        var strict = try state([.reportOnly, .anchors])
        let refusal = #expect(throws: BundleError.self) { try strict.offer(weaker, at: now) }
        #expect(refusal?.code == .weakensPolicy)
        var lenient = try state(.unpin)
        #expect(try lenient.offer(weaker, at: now) == .taken)
        // New pins with the same requirements are the purpose of bundles.
        var renewed = try state([])
        #expect(try renewed.offer(try bundle(text(7, oldScope, oldFields)), at: now) == .taken)
    }

    @Test func reportOnlyNeedsPermission() throws {
        let more = #", "includesSubdomains": true, "enforcement": "reportOnly""#
        let bytes = try bundle(policy(rule("example.com", more: more)))
        try expectRefusal(.weakensPolicy, bytes, [.unpin, .anchors])
        var state = try state(.reportOnly)
        #expect(try state.offer(bytes, at: now) == .taken)
    }

    /// One bundle may refuse a host, and one may pin a refused host. Together they must not weaken the embedded pins.
    @Test func twoBundlesCannotWeakenPolicy() throws {
        let both = #", "requiredScopes": ["leaf", "ca"]"#
        func pins(_ scopes: String...) -> String {
            let list = scopes.enumerated().map { #"{"sha256": "\#(pin(UInt8($0)))", "scope": "\#($1)"}"# }
            return list.joined(separator: ", ").replacing("sha256/", with: "")
        }
        func domain(_ pins: String, _ more: String = "") -> String {
            #"{"host": "pay.example.com", "pins": [\#(pins)]\#(more)}"#
        }
        let embedded = try PinningPolicy(holdfastJSON: policy(domain(pins("leaf", "leaf", "ca", "ca"), both)))
        var state = BundleState(
            embedded: embedded, version: 3, keys: keys, application: BundleStateTests.application)
        let refusing = try bundle(policy(rule("other.example"), more: #", "unlistedHosts": "refuse""#))
        #expect(try state.offer(refusing, at: now) == .taken)
        let weaker = try bundle(policy(domain(pins("any", "any"))), version: 5)
        let error = #expect(throws: BundleError.self) { try state.offer(weaker, at: now) }
        #expect(error?.code == .weakensPolicy)
        #expect(state.version == 4)
    }

    @Test func anchorsNeedPermission() throws {
        let ca = try CertificateFactory().authority("Inspection").view.pem
        let anchors = #", "anchors": {"certificates": [\#(JSONWriter.quoted(ca))]}"#
        let bytes = try bundle(policy(rule("example.com", more: #", "includesSubdomains": true"#), more: anchors))
        try expectRefusal(.weakensPolicy, bytes, [.unpin, .reportOnly])
        var state = try state(.anchors)
        #expect(try state.offer(bytes, at: now) == .taken)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"holdfastBundle": 2}"#, #"{"holdfastBundle": 1, "payload": 3}"#])
    func refusesMalformedBundles(_ text: String) throws {
        try expectRefusal(.malformed, Array(text.utf8))
    }

    @Test func refusesLargeBundle() throws {
        try expectRefusal(.tooLarge, Array(repeating: 0x20, count: SignedBundle.maximumSize + 1))
    }

    @Test func refusesToSignInvalidPolicy() throws {
        #expect(throws: BundleError.self) { try bundle(policy(#"{"host": "example.com", "pins": ["x"]}"#)) }
    }
}
