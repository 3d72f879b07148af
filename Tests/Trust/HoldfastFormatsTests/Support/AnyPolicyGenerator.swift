import HoldfastTestSupport
import HoldfastTrust

/// Generates policies with all features of Holdfast's own format: nested rules, exclusions, all depths and scopes,
/// expirations, and rules that refuse every server.
struct AnyPolicyGenerator {
    private var random: SeededGenerator
    /// Decides about certificate timestamps. Of its own, so that the other parts of a policy depend only on the seed.
    private var transparencyRandom: SeededGenerator
    /// Whether rules may require certificate timestamps, which most formats cannot express.
    private let requiresTimestamps: Bool
    private let now: Timestamp

    init(seed: UInt64, now: Timestamp) {
        random = SeededGenerator(seed: seed)
        transparencyRandom = SeededGenerator(seed: ~seed)
        requiresTimestamps = seed % 4 == 3
        self.now = now
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pin(plain: Bool) -> Pin {
        let digest = SPKIDigest(hashing: [UInt8.random(in: 0..<12, using: &random)])
        if plain { return Pin(digest) }
        let scope = Pin.Scope.allCases.randomElement(using: &random) ?? .any
        return Pin(digest.sha256, domain: chance(8) ? .certificate : .spki, scope: scope)
    }

    private mutating func transparency() -> TransparencyRequirement? {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &transparencyRandom) < percent }
        guard requiresTimestamps, chance(40) else { return nil }
        let counts = TransparencyCounts(timestamps: 1, timestampsOver180Days: 2, operators: 1)
        let policies: [TransparencyRequirement.Policy] = [.chrome, .apple, .custom(counts)]
        return TransparencyRequirement(
            policies.randomElement(using: &transparencyRandom) ?? .chrome,
            enforcement: chance(30) ? .reportOnly : .enforce, localAnchors: chance(30) ? .exempt : .required)
    }

    mutating func document() -> PolicyDocument {
        // Half of the documents use only features of every format, so that some conversions lose nothing.
        let isPlain = chance(50)
        var semantics = PolicySemantics(backupPins: .off)
        if chance(40) { semantics.precedence = .union }
        var document = PolicyDocument(format: .holdfast, name: "any", semantics: semantics)
        let names = ["example", "a.example", "b.a.example", "c.b.a.example", "x.example", "b.example"]
        var seen: Set<HostPattern> = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard let name = names.randomElement(using: &random), let host = try? CanonicalHost(name) else { continue }
            let depths: [HostPattern.Depth] = isPlain ? [.exact, .apexAndAnyDepth] : HostPattern.Depth.allCases
            let pattern = HostPattern(host, depth: depths.randomElement(using: &random) ?? .exact)
            guard seen.insert(pattern).inserted else { continue }
            var domain = PolicyDomain(text: name, pattern: pattern)
            domain.path = "domains[\(document.domains.count)]"
            if chance(20) {
                domain.isExcluded = true
            } else {
                for _ in 0..<Int.random(in: 2...3, using: &random) {
                    domain.pins.append(PolicyPin(pin(plain: isPlain)))
                }
            }
            if !isPlain, !domain.isExcluded {
                domain.everyScopeMustMatch = chance(20)
                if chance(15) { domain.requiredScopes = [Pin.Scope.allCases.randomElement(using: &random) ?? .ca] }
                if chance(5) {
                    domain.pins = []
                    domain.requiredScopes = [.any]
                }
                if chance(15) { domain.enforcement = .reportOnly }
                if chance(20) {
                    domain.expires = now.advanced(bySeconds: Int64.random(in: 1...4, using: &random) * 86_400)
                }
            }
            if !isPlain { domain.transparency = transparency() }
            document.domains.append(domain)
        }
        return document
    }
}
