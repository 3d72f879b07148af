import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// When a staged bundle takes effect, and what a halt and a timestamp can and cannot do.
@Suite("Staged bundles")
struct RolloutStateTests {
    let world: RolloutWorld

    init() throws {
        world = try RolloutWorld()
    }

    private func at(_ seconds: Int64) -> Timestamp { world.now.advanced(bySeconds: seconds) }

    @Test("a staged bundle takes effect when its stage begins, and not before")
    func stages() throws {
        var state = try world.state()
        let before = state.policy
        let stages = [world.stage(after: 100, share: world.position + 1), world.stage(after: 500)]
        let bytes = try world.bundle(4, stages: stages)
        #expect(try state.offer(bytes, at: world.now) == .deferred(until: at(100)))
        #expect(state.policy == before && state.version == 3 && state.pending?.version == 4)
        #expect(try state.advance(at: at(99)) == .deferred(until: at(100)))
        #expect(try state.offer(bytes, at: at(99)) == .deferred(until: at(100)), "the same bundle is offered again")
        #expect(try state.advance(at: at(100)) == .taken)
        #expect(state.version == 4 && state.pending == nil)
        #expect(try state.offer(bytes, at: at(101)) == .unchanged)
        #expect(try state.advance(at: at(101)) == .unchanged)
    }

    @Test("an installation outside the first cohort waits for the next one")
    func laterStage() throws {
        var state = try world.state()
        let stages = [world.stage(share: world.position), world.stage(after: 500)]
        #expect(try state.offer(try world.bundle(4, stages: stages), at: world.now) == .deferred(until: at(500)))
        var other = try world.state()
        let mine = [world.stage(share: world.position)]
        #expect(try other.offer(try world.bundle(4, stages: mine), at: world.now) == .deferred(until: nil))
        #expect(try other.advance(at: at(86_400)) == .deferred(until: nil))
    }

    @Test("a bundle without a roll-out takes effect at once and replaces a pending one")
    func plainBundle() throws {
        var state = try world.state()
        try state.offer(try world.bundle(4, stages: [world.stage(after: 500)]), at: world.now)
        #expect(try state.offer(try world.bundles.bundle(5), at: world.now) == .taken)
        #expect(state.version == 5 && state.pending == nil)
    }

    @Test("an older staged bundle does not replace a pending one; the same version must have the same contents")
    func pendingVersions() throws {
        var state = try world.state()
        try state.offer(try world.bundle(5), at: world.now)
        #expect(RolloutWorld.code { try state.offer(try world.bundle(4), at: world.now) } == .rollback)
        #expect(RolloutWorld.code { try state.offer(try world.bundle(5, 9), at: world.now) } == .versionReused)
        #expect(RolloutWorld.code { try state.offer(try world.bundle(3), at: world.now) } == .versionReused)
        #expect(state.pending?.version == 5)
        try state.offer(try world.bundle(6), at: world.now)
        #expect(state.pending?.version == 6)
    }

    @Test("a pending bundle that expires is removed")
    func expiredPending() throws {
        var state = try world.state()
        try state.offer(try world.bundle(4, until: 50), at: world.now)
        #expect(RolloutWorld.code { try state.advance(at: at(51)) } == .expired)
        #expect(state.pending == nil && state.version == 3)
    }

    /// The attacker has the signing key, and the app grants permissions. A cohort must not lose protection that few
    /// people would notice.
    @Test(
        "a cohort never loses protection, whatever the app permits",
        arguments: [#", "enforcement": "reportOnly""#, #", "expires": "2031-04-15T12:00:00Z""#])
    func cohortThatOpensAHost(_ more: String) throws {
        let weaker = try world.bundle(4, more: more)
        for permissions: BundlePermissions in [[.unpin, .reportOnly, .anchors], []] {
            var state = try world.state(permissions: permissions)
            let code = RolloutWorld.code { try state.offer(weaker, at: world.now) }
            #expect(code == .cohortWeakensPolicy)
            #expect(state.pending == nil)
        }
        // Without a roll-out, the permissions apply.
        var state = try world.state(permissions: [.unpin, .reportOnly])
        #expect(try state.offer(try world.bundles.bundle(4, more: more), at: world.now) == .taken)
    }

    @Test("the operator cannot sign a roll-out that removes protection of the current policy")
    func signingComparesPolicies() throws {
        let current = try PinningPolicy(holdfastJSON: BundleWorld.policy(1))
        func code(_ more: String) -> BundleError.Code? {
            RolloutWorld.code {
                _ = try SignedBundle.sign(
                    policy: BundleWorld.policy(2, more: more), application: BundleWorld.application, version: 4,
                    notBefore: world.now, notAfter: at(86_400), with: world.bundles.signer,
                    rollout: BundleRollout(stages: [world.stage()]), replacing: [current])
            }
        }
        #expect(code(#", "enforcement": "reportOnly""#) == .cohortWeakensPolicy)
        #expect(code("") == nil)
    }

    // MARK: - Halts

    @Test("a halt stops a version and lower ones, ends, and can be replaced by a newer one")
    func halts() throws {
        var state = try world.state()
        try state.offer(try world.bundle(4), at: world.now)
        #expect(state.rolloutDecision(at: world.now) == .due)
        #expect(try state.offer(halt: try world.halt(5), at: world.now))
        #expect(try state.advance(at: world.now) == .deferred(until: at(86_400)))
        #expect(state.rolloutDecision(at: at(86_400)) == .halted(until: at(86_400)))
        #expect(state.rolloutDecision(at: at(86_401)) == .due)
        try state.offer(halt: try world.halt(3, issued: 10), at: at(10))
        #expect(state.rolloutDecision(at: at(10)) == .due, "the halt of version 3 does not stop version 4")
        try state.offer(halt: try world.halt(4, issued: 20), at: at(20))
        try state.offer(halt: try world.halt(0, issued: 30), at: at(30))
        #expect(try state.advance(at: at(30)) == .taken)
    }

    /// The operator halts version 4, and ends the halt with a short halt for a lower version. The attacker controls the
    /// network: the installation sees the end only after it has ended, and then the first halt, which lasts longer.
    @Test("a halt cannot be replayed after a newer one, also if the newer one had ended when it arrived")
    func haltReplayAfterAnEndedHalt() throws {
        let first = try world.halt(4, issued: 0, lasts: 7 * 86_400)
        let end = try world.halt(3, issued: 100, lasts: 60)
        var state = try world.state()
        try state.offer(try world.bundle(4), at: world.now)
        #expect(RolloutWorld.code { try state.offer(halt: end, at: at(200)) } == .haltExpired)
        #expect(RolloutWorld.code { try state.offer(halt: first, at: at(200)) } == .haltReplayed)
        #expect(state.rolloutDecision(at: at(200)) == .due)
        // The server still has the ended halt. Fetching it again is not a replay.
        #expect(try !state.offer(halt: end, at: at(300)))
        #expect(try state.offer(halt: try world.halt(4, issued: 300), at: at(300)))
        // Without the ended halt, the first one stops the bundle: only the serial number prevents the replay.
        var other = try world.state()
        try other.offer(try world.bundle(4), at: world.now)
        #expect(try other.offer(halt: first, at: at(200)))
        #expect(other.rolloutDecision(at: at(200)) == .halted(until: at(7 * 86_400)))
        // A halt in force stays in force until a newer one replaces it before its own end.
        #expect(RolloutWorld.code { try other.offer(halt: end, at: at(300)) } == .haltExpired)
        #expect(other.rolloutDecision(at: at(300)) == .halted(until: at(7 * 86_400)))
        let between = try world.halt(4, issued: 50, lasts: 7 * 86_400)
        #expect(RolloutWorld.code { try other.offer(halt: between, at: at(300)) } == .haltReplayed)
    }

    /// The attacker has the halt key, and serves new halts forever.
    @Test("a stolen halt key delays an installation by at most 14 days after its stage has begun")
    func stolenHaltKey() throws {
        var state = try world.state()
        let begin: Int64 = 1_000
        try state.offer(try world.bundle(4, stages: [world.stage(after: begin)]), at: world.now)
        let limit = begin + BundleHalt.maximumLifetime
        for time in stride(from: Int64(0), through: limit, by: 86_400) {
            try state.offer(
                halt: try world.halt(SignedBundle.maximumVersion, issued: time, lasts: BundleHalt.maximumLifetime),
                at: at(time))
            #expect(try state.advance(at: at(time)) != .taken)
        }
        #expect(state.rolloutDecision(at: at(limit)) == .halted(until: at(limit)))
        #expect(try state.advance(at: at(limit + 1)) == .taken)
    }

    @Test("a halt has no effect on a bundle without a roll-out, nor on the policy in force")
    func haltsDoNotStopPlainBundles() throws {
        var state = try world.state()
        try state.offer(halt: try world.halt(SignedBundle.maximumVersion), at: world.now)
        #expect(try state.offer(try world.bundles.bundle(4), at: world.now) == .taken)
        #expect(state.version == 4)
    }

    @Test("refused halts have codes of their own and do not change the state")
    func refusedHalts() throws {
        var state = try world.state()
        try state.offer(try world.bundle(4), at: world.now)
        try state.offer(halt: try world.halt(3, serial: 1_000), at: world.now)
        let known = state.gate.halt
        let lifetime = BundleHalt.maximumLifetime
        let thief = BundleSigningKey(generating: .ed25519, id: "halt-a")
        let refused: [(() throws -> [UInt8], BundleError.Code)] = [
            ({ try world.halt(4, issued: -90_000, lasts: 86_400) }, .haltExpired),
            ({ try world.halt(4, serial: 999) }, .haltReplayed), ({ try world.halt(4, serial: 1_000) }, .haltReplayed),
            ({ try world.halt(4, lasts: lifetime + 1) }, .haltTooLong),
            ({ try world.halt(4, issued: 86_401) }, .haltFromFuture),
            ({ try world.halt(4, application: "com.example.bank") }, .wrongApplication),
            ({ try world.halt(4, by: thief) }, .badSignature),
            ({ try world.halt(4, by: BundleSigningKey(generating: .ed25519, id: "x")) }, .unknownKey),
            ({ try world.halt(4, serial: world.now.secondsSince1970 + 1) }, .malformed),
            ({ try world.halt(-1) }, .malformed), ({ [] }, .malformed), ({ Array("{}".utf8) }, .malformed),
            ({ Array(repeating: 0x20, count: BundleHalt.maximumSize + 1) }, .tooLarge),
        ]
        for (make, expected) in refused {
            var copy = state
            #expect(RolloutWorld.code { try copy.offer(halt: try make(), at: world.now) } == expected)
            #expect(copy.gate.halt == known && copy.rolloutDecision(at: world.now) == .due)
        }
        // A clock that is wrong by less than a day does not matter.
        let valid = try world.halt(4, issued: 86_400)
        #expect(try state.offer(halt: valid, at: world.now))
        #expect(try !state.offer(halt: valid, at: world.now), "the same halt again")
    }

    /// Each envelope names its kind, and each signature covers its own prefix: one key for everything would still not
    /// let a thief turn a signature into another statement.
    @Test("a signature for one kind of statement is not valid for another, even under the same key")
    func domainSeparation() throws {
        let key = world.bundles.signer
        let haltKey = try BundleHaltKey(id: key.id, publicKey: Array(key.publicKeyPEM.utf8))
        let timestampKey = try BundleTimestampKey(id: key.id, publicKey: Array(key.publicKeyPEM.utf8))
        let bytes = try world.halt(4, by: key)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(throws: Never.self) { try BundleHalt(bytes, keys: [haltKey], application: BundleWorld.application) }
        for (name, expected) in [("holdfastTimestamp", BundleError.Code.badSignature), ("x", .malformed)] {
            let other = Array(text.replacing("holdfastHalt", with: name).utf8)
            let code = RolloutWorld.code {
                _ = try BundleTimestamp(other, keys: [timestampKey], application: BundleWorld.application)
            }
            #expect(code == expected)
        }
        let bundle = Array(text.replacing("holdfastHalt", with: "holdfastBundle").utf8)
        let code = RolloutWorld.code {
            _ = try SignedBundle(bundle).verify(keys: world.bundles.keys, application: BundleWorld.application)
        }
        #expect(code == .badSignature)
    }

    // MARK: - Timestamps

    @Test("refused timestamps have codes of their own")
    func refusedTimestamps() throws {
        var state = try world.state()
        let bundle = try world.bundle(4)
        try state.offer(bundle, at: world.now)
        let valid = try world.timestamp(for: bundle, issued: -100)
        try state.offer(timestamp: valid, at: world.now)
        let thief = BundleSigningKey(generating: .ed25519, id: "time-a")
        let refused: [(() throws -> [UInt8], BundleError.Code)] = [
            ({ try world.timestamp(for: bundle, issued: 86_401) }, .timestampFromFuture),
            ({ try world.timestamp(for: bundle, issued: -90_000) }, .timestampTooOld),
            ({ try world.timestamp(for: bundle, issued: -101) }, .timestampReplayed),
            ({ try world.timestamp(for: bundle, lasts: BundleTimestamp.maximumLifetime + 1) }, .timestampTooLong),
            ({ try world.timestamp(for: try world.bundle(4, 9)) }, .timestampMismatch),
            ({ try world.timestamp(for: bundle, by: thief) }, .badSignature), ({ [] }, .malformed),
            ({ Array(repeating: 0x20, count: BundleTimestamp.maximumSize + 1) }, .tooLarge),
        ]
        for (make, expected) in refused {
            #expect(RolloutWorld.code { try state.offer(timestamp: try make(), at: world.now) } == expected)
        }
        #expect(state.gate.freshAsOf == at(-100))
        #expect(try !state.offer(timestamp: valid, at: world.now), "the same timestamp again")
    }

    @Test("without a fresh timestamp the policy counts as frozen")
    func freeze() throws {
        var state = try world.state()
        state.beginFreshness(nil, at: world.now)
        #expect(!state.isFrozen(at: at(3 * 86_400)) && state.isFrozen(at: at(3 * 86_400 + 1)))
        let bundle = try world.bundle(4)
        try state.offer(bundle, at: world.now)
        // A timestamp of a newer version proves that a newer bundle is held back.
        try state.offer(timestamp: try world.timestamp(for: try world.bundle(5), issued: 86_400), at: at(86_400))
        #expect(state.gate.newerVersion(than: state.knownVersion) == 5 && state.gate.freshAsOf == world.now)
        try state.offer(timestamp: try world.timestamp(for: bundle, issued: 2 * 86_400), at: at(2 * 86_400))
        #expect(state.gate.freshAsOf == at(2 * 86_400) && !state.isFrozen(at: at(5 * 86_400)))
        // A clock that was set back hides how much time has passed.
        #expect(state.isFrozen(at: at(-1)) && !state.isFrozen(at: at(86_400)))
        var without = try world.state(3, try world.settings(timestamps: false))
        without.beginFreshness(nil, at: world.now)
        #expect(!without.isFrozen(at: at(1 << 30)), "timestamps are optional")
    }

    @Test("a timestamp that names an unknown halt delays the switch, at most as long as a halt")
    func haltThatIsHeldBack() throws {
        var state = try world.state()
        let bundle = try world.bundle(4)
        try state.offer(bundle, at: world.now)
        let serial = world.now.secondsSince1970 - 5
        try state.offer(timestamp: try world.timestamp(for: bundle, haltSerial: serial), at: world.now)
        #expect(state.rolloutDecision(at: world.now) == .haltMissing(until: at(86_400)))
        #expect(state.rolloutDecision(at: at(86_401)) == .due)
        var informed = state
        try informed.offer(halt: try world.halt(3, issued: -5), at: world.now)
        #expect(informed.rolloutDecision(at: world.now) == .due)
        // A halt that has expired is known as well.
        _ = RolloutWorld.code { try state.offer(halt: try world.halt(3, issued: -5, lasts: 1), at: world.now) }
        #expect(state.rolloutDecision(at: world.now) == .due)
        // With a stolen timestamp key, new timestamps arrive forever.
        var held = try world.state()
        try held.offer(bundle, at: world.now)
        for day: Int64 in 0...14 {
            let time = day * 86_400
            let bytes = try world.timestamp(for: bundle, issued: time, haltSerial: serial + time)
            try held.offer(timestamp: bytes, at: at(time))
        }
        #expect(held.rolloutDecision(at: at(BundleHalt.maximumLifetime + 1)) == .due)
    }
}

extension RolloutWorld {
    fileprivate func state(_ version: Int64, _ settings: RolloutSettings) throws -> BundleState {
        try state(version: version, permissions: [], settings)
    }
}
