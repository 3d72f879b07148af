import Foundation
import HoldfastTestSupport
@_spi(Benchmarks) import HoldfastTrust

/// Measures the parts of a verification and compares them with other verifiers: `TrustCost [--json] [--rounds N]`.
@main
struct TrustCost {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let rounds = arguments.firstIndex(of: "--rounds").flatMap { Int(arguments.dropFirst($0).first ?? "") } ?? 50
        let factory = CertificateFactory()
        var subjects = try lookUps() + policyFiles()
        for kind in [KeyKind.p256, .rsa2048] { subjects += try judgements(kind, factory) }
        subjects += try expensiveChains(factory)
        let figures = try await Measurement.figures(of: subjects, rounds: max(1, rounds))
        try arguments.contains("--json") ? printJSON(figures) : printTable(figures)
    }

    // MARK: - Subjects

    private static func pins(_ seed: Int) -> [Pin] {
        [Pin(SPKIDigest(hashing: Array("pin \(seed)".utf8))), Pin(SPKIDigest(hashing: Array("backup \(seed)".utf8)))]
    }

    private static func lookUps() throws -> [Subject] {
        var subjects: [Subject] = []
        for count in [1, 100, 10_000] {
            let rules = try (0..<count).map { index in
                PinningRule(
                    host: try CanonicalHost("host-\(index).example.com"), includesSubdomains: index % 2 == 0,
                    pins: PinSet(pins(index)))
            }
            let policy = try PinningPolicy(name: "look-up", rules: rules)
            let last = (count - 1) / 2 * 2
            let cases = [
                ("the host itself", "host-\(last).example.com", 1), ("a subdomain", "a.b.host-\(last).example.com", 1),
                ("a host without a rule", "www.example.org", 0),
            ]
            for (name, text, found) in cases {
                let host = try CanonicalHost(text)
                subjects.append(
                    Subject("lookup of a host", "\(count) rules, \(name)") {
                        policy.rules(covering: host).count == found
                    })
            }
        }
        subjects.append(
            Subject("lookup of a host", "canonical form of a host name") {
                try CanonicalHost("Chat.Example.COM").text.utf8.count == 16
            })
        return subjects
    }

    private static func policyFiles() throws -> [Subject] {
        let rules = try (0..<1_000).map { index in
            PinningRule(host: try CanonicalHost("host-\(index).example.com"), pins: PinSet(pins(index)))
        }
        let domains = rules.map { rule in
            let pins = rule.pins.sorted.map { "\"\($0.base64)\"" }.joined(separator: ", ")
            return "{\"host\": \"\(rule.host)\", \"includesSubdomains\": true, \"pins\": [\(pins)]}"
        }
        let text = "{\"holdfast\": 1, \"name\": \"large\", \"domains\": [\n\(domains.joined(separator: ",\n"))\n]}"
        let bytes = Array(text.utf8)
        return [
            Subject("policy file", "1,000 domains with two pins each, \(bytes.count / 1_000) kB of JSON") {
                try PinningPolicy(holdfastJSON: bytes).rules.count == 1_000
            }
        ]
    }

    /// Returns the verifications of a chain of three certificates, from the server's DER bytes to the verdict.
    private static func judgements(_ kind: KeyKind, _ factory: CertificateFactory) throws -> [Subject] {
        func key(_ name: String) throws -> CertificateOptions { .init(key: try .shared(kind, name)) }
        let root = try factory.authority("Benchmark Root", key("root"))
        let intermediate = try factory.intermediate("Benchmark Intermediate", signedBy: root, key("intermediate"))
        let leaf = try factory.leaf(["www.example.com", "example.com"], signedBy: intermediate, key("leaf"))
        let chain = leaf.chain
        let subject = TrustSubject(host: try CanonicalHost("www.example.com"))
        let time = factory.now
        let pins = PinSet([Pin(intermediate.spkiDigest), Pin(SPKIDigest(hashing: [1]))])
        let policy = try PinningPolicy(name: "benchmark", rules: [PinningRule(host: subject.host, pins: pins)])
        let anchors = TrustAnchors.only([root.view])
        let group = "verification of a chain, \(kind == .p256 ? "P-256" : "RSA-2048")"
        func judged(_ context: TrustContext) -> Bool {
            guard case .now(let verdict) = context.judge(PresentedChain(der: chain), for: subject, at: time) else {
                return false
            }
            return verdict.permitsConnection && !verdict.isFromCache
        }
        func remembered(_ name: String, _ context: TrustContext) -> Subject {
            _ = judged(context)
            return Subject(group, name) {
                context.rememberedVerdict(on: chain, for: subject, at: time)?.permitsConnection == true
            }
        }
        // Two logs of two operators, as public certificates have them.
        let logs = [try TestLog("oak", operator: "Alpha"), try TestLog("elm", operator: "Beta")]
        let loggedLeaf = try factory.loggedLeaf(
            ["www.example.com"], signedBy: intermediate, try key("leaf"), logs: logs)
        var loggedRule = PinningRule(host: subject.host, pins: pins)
        loggedRule.transparency = .chrome
        let loggedPolicy = try PinningPolicy(name: "benchmark", rules: [loggedRule])
        let known = TransparencyLogHolder(try TestLog.logs(logs))
        func newLogged() -> TrustContext {
            TrustContext.policy(loggedPolicy, anchors: anchors, logs: known).withoutVerdictCache()
        }
        func judgedLogged(_ context: TrustContext) -> Bool {
            let presented = PresentedChain(der: loggedLeaf.chain)
            guard case .now(let verdict) = context.judge(presented, for: subject, at: time) else { return false }
            return verdict.permitsConnection && verdict.notices.isEmpty
        }
        let system = TrustContext.system(anchors: anchors)
        let pinned = TrustContext.policy(policy, anchors: anchors)
        let transparent = newLogged()
        let boring = try BoringSSLVerifier(root: root.certificateDER, host: "www.example.com", time: time)
        let peer = try SwiftCertificatesVerifier(root: root.certificateDER, host: "www.example.com", time: time)
        guard boring.accepts(chain), !boring.accepts([leaf.certificateDER]) else {
            throw WrongResult(subject: "BoringSSL")
        }
        return [
            Subject(group, "BoringSSL, X509_verify_cert, no pins") { boring.accepts(chain) },
            Subject(group, "swift-certificates, Verifier, no pins", awaiting: { try await peer.accepts(chain) }),
            // A new context verifies both signatures. A context that is used again remembers the intermediate's.
            Subject(group, "Holdfast, system trust, a new context") {
                judged(TrustContext.system(anchors: anchors).withoutVerdictCache())
            },
            Subject(group, "Holdfast, system trust, cache off") { judged(system.withoutVerdictCache()) },
            remembered("Holdfast, system trust, cache on", system),
            Subject(group, "Holdfast, pinned, a new context") {
                judged(TrustContext.policy(policy, anchors: anchors).withoutVerdictCache())
            },
            Subject(group, "Holdfast, pinned, cache off") { judged(pinned.withoutVerdictCache()) },
            Subject(group, "Holdfast, pinned, two certificate timestamps, a new context") {
                judgedLogged(newLogged())
            },
            Subject(group, "Holdfast, pinned, two certificate timestamps, cache off") { judgedLogged(transparent) },
            remembered("Holdfast, pinned, cache on", pinned),
            Subject(group, "parsing the chain only") { PresentedChain(der: chain).leafIsReadable },
        ]
    }

    private static func expensiveChains(_ factory: CertificateFactory) throws -> [Subject] {
        let subject = TrustSubject(host: try CanonicalHost(ExpensiveChain.host))
        return try ExpensiveChain.all(factory).map { chain in
            let engine = TrustEngine(anchors: .only([chain.root]))
            return Subject("expensive chains", chain.name) {
                let presented = PresentedChain(der: chain.presented)
                return engine.evaluate(presented, for: subject, at: factory.now).finding.code == chain.expected
            }
        }
    }

    // MARK: - Output

    private static func printJSON(_ figures: [Figure]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }

    private static func printTable(_ figures: [Figure]) {
        print("Processor time of one operation: median of the rounds (fastest to slowest round).")
        var group = ""
        for figure in figures {
            if figure.group != group {
                group = figure.group
                print("\n\(group)")
            }
            print("  \(text(figure.nanoseconds))  \(figure.name)  (\(text(figure.least)) to \(text(figure.most)))")
        }
    }

    private static func text(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1e3: String(format: "%.0f ns", nanoseconds)
        case ..<1e6: String(format: "%.1f µs", nanoseconds / 1e3)
        default: String(format: "%.2f ms", nanoseconds / 1e6)
        }
    }
}
