import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// The policies by name, the list of logs, and how a rule in a policy requires timestamps.
@Suite("Required certificate timestamps") struct TransparencyRuleTests {
    let world: TransparencyScene

    init() throws {
        world = try TransparencyScene()
    }

    @Test("Chrome and Apple require two timestamps for 180 days, and three for more")
    func lifetimes() throws {
        let two = [world.oak, world.elm]
        // Certificates start a day before the time of the factory. The limit is exactly 180 days.
        let short = try world.server(two, days: 179)
        #expect(try world.verdict(on: short, .chrome).permitsConnection)
        // With the final second, the lifetime exceeds 180 days.
        #expect(try world.verdict(on: short, .apple).finding.facts.requiredTimestamps == 3)
        let shorter = try world.server(two, days: 178)
        #expect(try world.verdict(on: shorter, .apple).permitsConnection)
        let long = try world.server(two, days: 180)
        let refused = try world.verdict(on: long, .chrome)
        expectOnly(.sctsMissing, refused)
        #expect(refused.finding.facts.requiredTimestamps == 3)
        let three = try world.server([world.oak, world.elm, world.fir], days: 180)
        #expect(try world.verdict(on: three, .chrome).permitsConnection)
        #expect(try world.verdict(on: three, .apple).permitsConnection)
    }

    @Test("Apple requires one log with the interface of RFC 6962")
    func tiledLogs() throws {
        let server = try world.server([world.oak, world.elm])
        let tiled = [world.oak, world.elm].map { $0.with { $0.isTiled = true } }
        #expect(try world.verdict(on: server, .chrome, logs: tiled).permitsConnection)
        expectOnly(.sctOnlyTiledLogs, try world.verdict(on: server, .apple, logs: tiled))
        #expect(try world.verdict(on: server, .apple, logs: [world.oak, tiled[1]]).permitsConnection)
    }

    @Test("counts stay in their range")
    func counts() {
        let counts = TransparencyCounts(timestamps: 0, timestampsOver180Days: 99, operators: -1)
        #expect(counts.timestamps == 1)
        #expect(counts.timestampsOver180Days == EmbeddedTimestamps.maximumCount)
        #expect(counts.operators == 1)
    }

    // MARK: - The list

    @Test("without a list, the host is refused")
    func noList() throws {
        let server = try world.server([world.oak, world.elm])
        expectOnly(.logListMissing, try world.verdict(on: server, .chrome, nil))
        let reported = TransparencyRequirement(.chrome, enforcement: .reportOnly)
        let verdict = try world.verdict(on: server, reported, nil)
        #expect(verdict.permitsConnection)
        #expect(verdict.notices.map(\.code) == [.logListMissing])
    }

    @Test("an outdated list refuses by default, and passes with a notice by option")
    func outdated() throws {
        let server = try world.server([world.oak, world.elm])
        let limit = TransparencyLogs.defaultMaximumAge
        let issued = world.now.advanced(bySeconds: -limit)
        let last = try TestLog.logs(world.all, issued: issued)
        #expect(try world.verdict(on: server, .chrome, last).permitsConnection)
        let old = try TestLog.logs(world.all, issued: issued.advanced(bySeconds: -1))
        expectOnly(.logListOutdated, try world.verdict(on: server, .chrome, old))
        let passing = try TestLog.logs(world.all, issued: issued.advanced(bySeconds: -1), whenOutdated: .passWithNotice)
        let unlogged = try world.scene.factory.leaf([TrustScene.host], signedBy: world.issuing)
        for identity in [server, unlogged] {
            let verdict = try world.verdict(on: identity, .chrome, passing)
            #expect(verdict.permitsConnection, "\(verdict)")
            #expect(verdict.notices.map(\.code) == [.logListOutdated])
        }
    }

    @Test("a list from the future does not extend the age limit")
    func future() throws {
        let server = try world.server([world.oak, world.elm])
        let day: Int64 = 86_400
        let skewed = try TestLog.logs(world.all, issued: world.now.advanced(bySeconds: day))
        #expect(try world.verdict(on: server, .chrome, skewed).permitsConnection)
        let future = try TestLog.logs(world.all, issued: world.now.advanced(bySeconds: day + 1))
        expectOnly(.logListOutdated, try world.verdict(on: server, .chrome, future))
    }

    @Test("a delegate cannot accept an invalid chain for a host that requires timestamps")
    func delegate() throws {
        let attacker = try world.scene.factory.leaf([TrustScene.host], signedBy: nil)
        let accepted = TrustFinding(.evaluatorAccepted, "A delegate accepted the server.")
        func verdict(_ requirement: TransparencyRequirement) throws -> TrustVerdict {
            try TrustEngine(anchors: .only([world.root.view]), transparencyLogs: TestLog.logs(world.all)).evaluate(
                PresentedChain([attacker.view]), for: world.scene.subject(), at: world.now,
                under: world.policy(requirement))
        }
        let refused = try verdict(.chrome)
        #expect(refused.decision == .block)
        #expect(!refused.accepted(inPlaceOfSystemTrust: accepted).permitsConnection)
        // A requirement that is only reported leaves the decision to the delegate.
        let reported = try verdict(TransparencyRequirement(.chrome, enforcement: .reportOnly))
        #expect(reported.decision == .notPinned)
        #expect(reported.accepted(inPlaceOfSystemTrust: accepted).permitsConnection)
    }

    // MARK: - The rule

    // MARK: - The rule

    @Test("report-only timestamps are a notice, and report-only pins do not affect timestamps")
    func reportOnly() throws {
        let unlogged = try world.scene.factory.leaf([TrustScene.host], signedBy: world.issuing)
        let verdict = try world.verdict(on: unlogged, TransparencyRequirement(.chrome, enforcement: .reportOnly))
        #expect(verdict.permitsConnection)
        #expect(verdict.notices.map(\.code) == [.sctsMissing])
        let policy = try world.scene.policy([Pin(SPKIDigest(hashing: [1]))]) { rule in
            rule.enforcement = .reportOnly
            rule.transparency = .chrome
        }
        let engine = TrustEngine(anchors: .only([world.root.view]), transparencyLogs: try TestLog.logs(world.all))
        let chain = world.scene.chain([unlogged, world.issuing])
        let refused = try engine.evaluate(chain, for: world.scene.subject(), at: world.now, under: policy)
        #expect(refused.decision == .block)
        #expect(refused.finding.code == .sctsMissing)
    }

    @Test("pins and timestamps are both required, and timestamps do not expire with the pins")
    func withPins() throws {
        let server = try world.server([world.oak, world.elm])
        let unlogged = try world.scene.factory.leaf([TrustScene.host], signedBy: world.issuing)
        let policy = try world.scene.policy([Pin(world.issuing)]) { rule in
            rule.transparency = .chrome
            rule.expires = world.now.advanced(bySeconds: 60)
        }
        let engine = TrustEngine(anchors: .only([world.root.view]), transparencyLogs: try TestLog.logs(world.all))
        func verdict(_ identity: Identity, at time: Timestamp) throws -> TrustVerdict {
            try engine.evaluate(
                world.scene.chain([identity, world.issuing]), for: world.scene.subject(), at: time, under: policy)
        }
        #expect(try verdict(server, at: world.now).finding.code == .pinMatched)
        expectOnly(.sctsMissing, try verdict(unlogged, at: world.now))
        let after = world.now.advanced(bySeconds: 60)
        #expect(try verdict(server, at: after).finding.code == .policyExpired)
        expectOnly(.sctsMissing, try verdict(unlogged, at: after))
    }

    @Test("a wrong pin is reported before missing timestamps")
    func wrongPin() throws {
        let unlogged = try world.scene.factory.leaf([TrustScene.host], signedBy: world.issuing)
        let policy = try world.scene.policy([Pin(SPKIDigest(hashing: [1]))]) { $0.transparency = .chrome }
        expectOnly(
            .pinMismatch, try world.scene.pinned([unlogged, world.issuing], anchors: [world.root], under: policy))
    }

    @Test("a more specific rule decides alone, and combined rules all count")
    func precedence() throws {
        let unlogged = try world.scene.factory.leaf([TrustScene.host], signedBy: world.issuing)
        let host = try CanonicalHost(TrustScene.host)
        let parent = HostPattern(try CanonicalHost("example.com"), depth: .apexAndAnyDepth)
        let pins = PinSet([Pin(world.issuing), Pin(SPKIDigest(hashing: [1]))])
        func code(_ rules: [PinningRule], _ precedence: RulePrecedence) throws -> TrustFinding.Code {
            let policy = try PinningPolicy(name: "p", rules: rules, precedence: precedence)
            let engine = TrustEngine(anchors: .only([world.root.view]), transparencyLogs: try TestLog.logs(world.all))
            return try engine.evaluate(
                world.scene.chain([unlogged, world.issuing]), for: world.scene.subject(), at: world.now, under: policy
            ).finding.code
        }
        let wide = PinningRule.requiringTransparency(parent, .chrome)
        let own = PinningRule(HostPattern(host, depth: .exact), pins: pins)
        #expect(try code([wide, own], .mostSpecific) == .pinMatched)
        #expect(try code([wide, own], .union) == .sctsMissing)
        let excluded = PinningRule.excluding(HostPattern(host, depth: .exact))
        // An exclusion concerns the pins only. A more specific rule decides alone under `mostSpecific`.
        #expect(try code([wide, excluded], .union) == .sctsMissing)
        #expect(try code([wide, excluded], .mostSpecific) == .excluded)
        #expect(try code([wide], .mostSpecific) == .sctsMissing)
    }

    // MARK: - Local anchors

    @Test("chains to local anchors need timestamps, unless the rule exempts them")
    func localAnchors() throws {
        let own = try world.scene.factory.authority("Own root")
        let server = try world.scene.factory.leaf([TrustScene.host], signedBy: own)
        func verdict(_ requirement: TransparencyRequirement) throws -> TrustVerdict {
            try TrustEngine(anchors: .only([world.root.view]), transparencyLogs: try TestLog.logs(world.all)).evaluate(
                PresentedChain([server.view]), for: world.scene.subject(), at: world.now,
                under: world.policy(requirement, anchors: .additional([own.view])))
        }
        expectOnly(.sctsMissing, try verdict(.chrome))
        let exempt = try verdict(TransparencyRequirement(.chrome, localAnchors: .exempt))
        #expect(exempt.permitsConnection)
        #expect(exempt.notices.map(\.code) == [.transparencyExempt])
    }

    @Test("a root of the machine is not local, also if the app lists it as its only anchor")
    func publicRoot() throws {
        let roots = try SystemRootStore.shared.current(at: world.now).index.certificates
        let root = try #require(roots.first)
        #expect(!TrustAnchors.only([root]).isLocal(root, at: world.now))
        #expect(!TrustAnchors.system(and: [root]).isLocal(root, at: world.now))
        #expect(TrustAnchors.only([world.root.view]).isLocal(world.root.view, at: world.now))
        #expect(!TrustAnchors.only([root]).isLocal(world.root.view, at: world.now))
    }

    @Test("a chain of one anchored certificate has no issuer whose timestamps could be checked")
    func anchoredLeaf() throws {
        let server = try world.server([world.oak, world.elm])
        let verdict = try TrustEngine(anchors: .only([server.view]), transparencyLogs: TestLog.logs(world.all))
            .evaluate(
                PresentedChain([server.view]), for: world.scene.subject(), at: world.now, under: world.policy())
        #expect(verdict.decision == .block)
        #expect(verdict.finding.code == .sctsMissing)
    }

    // MARK: - Evaluators and contexts

    @Test("the evaluator checks the path, alone and after other members")
    func evaluator() throws {
        let server = try world.server([world.oak, world.elm])
        let unlogged = try world.scene.factory.leaf([TrustScene.host], signedBy: world.issuing)
        let own = CertificateTransparencyEvaluator(.chrome, logs: try TestLog.logs(world.all))
        let pins = PublicKeyPinningEvaluator(pinnedKeyHashes: [world.issuing.spkiDigest.data])
        for evaluator in [own as any ServerTrustEvaluator, CompositeEvaluator.all([pins, own])] {
            let context = TrustContext.evaluators([TrustScene.host: evaluator], anchors: .only([world.root.view]))
            func verdict(_ identity: Identity) throws -> TrustVerdict {
                let evaluation = context.judge(
                    world.scene.chain([identity, world.issuing]), for: try world.scene.subject(), at: world.now)
                guard case .now(let verdict) = evaluation else { throw TestFailure() }
                return verdict
            }
            #expect(try verdict(server).permitsConnection)
            expectOnly(.sctsMissing, try verdict(unlogged))
        }
    }

    private struct TestFailure: Error {}

    @Test("a replaced list discards cached verdicts, and an older list is not accepted")
    func replacement() throws {
        // Cached verdicts end when the machine's roots are read, which the first evaluation of a process does.
        _ = try SystemRootStore.shared.current(at: world.now)
        let server = try world.server([world.oak, world.elm])
        let holder = TransparencyLogHolder(try TestLog.logs(world.all))
        let context = TrustContext.policy(try world.policy(), anchors: .only([world.root.view]), logs: holder)
        let chain = world.scene.chain([server, world.issuing])
        let subject = try world.scene.subject()
        func decide() async -> TrustVerdict {
            await context.judge(chain, for: subject, at: world.now).verdict()
        }
        guard case .now(let first) = context.judge(chain, for: subject, at: world.now) else { return }
        #expect(first.permitsConnection)
        let der = [server.certificateDER, world.issuing.certificateDER]
        #expect(context.cachedVerdict(on: der, for: subject, at: world.now) != nil)
        let retired = world.elm.with { $0.state = .rejected }
        let older = try TestLog.logs([world.oak, retired], issued: world.now.advanced(bySeconds: -86_401))
        #expect(!holder.replace(with: older))
        #expect(context.cachedVerdict(on: der, for: subject, at: world.now) != nil)
        #expect(holder.replace(with: try TestLog.logs([world.oak, retired], issued: world.now)))
        #expect(context.cachedVerdict(on: der, for: subject, at: world.now) == nil)
        guard case .now(let second) = context.judge(chain, for: subject, at: world.now) else { return }
        expectMissing(.sctLogNotTrusted, valid: 1, second)
    }

    @Test("a cached verdict ends with the age limit of the list")
    func cacheLifetime() throws {
        // Cached verdicts end when the machine's roots are read, which the first evaluation of a process does.
        _ = try SystemRootStore.shared.current(at: world.now)
        let server = try world.server([world.oak, world.elm])
        let issued = world.now.advanced(bySeconds: -TransparencyLogs.defaultMaximumAge + 10)
        let holder = TransparencyLogHolder(try TestLog.logs(world.all, issued: issued))
        let context = TrustContext.policy(try world.policy(), anchors: .only([world.root.view]), logs: holder)
        let subject = try world.scene.subject()
        _ = context.judge(world.scene.chain([server, world.issuing]), for: subject, at: world.now)
        let der = [server.certificateDER, world.issuing.certificateDER]
        #expect(context.cachedVerdict(on: der, for: subject, at: world.now.advanced(bySeconds: 10)) != nil)
        #expect(context.cachedVerdict(on: der, for: subject, at: world.now.advanced(bySeconds: 11)) == nil)
    }
}
