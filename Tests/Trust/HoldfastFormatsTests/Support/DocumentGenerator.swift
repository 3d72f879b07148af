import HoldfastTestSupport
import HoldfastTrust

/// Generates documents that a format can express without loss.
struct DocumentGenerator {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func document(for format: PolicyFormat) throws -> PolicyDocument {
        var document = PolicyDocument(format: format, name: "test", semantics: semantics(of: format))
        let count = format == .hpkp || format == .curl ? 1 : Int.random(in: 1...5, using: &random)
        for index in 0..<count {
            // The host names are not subdomains of each other, so that precedence does not matter.
            let host = try CanonicalHost(
                "h\(index).\(["example", "test", "example.org"].randomElement(using: &random) ?? "x")")
            let depth = depths(of: format).randomElement(using: &random) ?? .exact
            var domain = PolicyDomain(text: host.text, pattern: HostPattern(host, depth: depth))
            domain.everyScopeMustMatch = format == .pinnedDomains
            let scopes = self.scopes(of: format)
            var pins: [Pin] = []
            for _ in 0..<Int.random(in: 2...4, using: &random) {
                let pin = Pin(
                    SPKIDigest(hashing: [UInt8.random(in: 0...255, using: &random)]),
                    scope: scopes.randomElement(using: &random) ?? .any)
                if !pins.contains(where: { $0.sha256 == pin.sha256 }) { pins.append(pin) }
            }
            if pins.count < 2 { pins.append(Pin(SPKIDigest(hashing: [1, 2, 3]), scope: scopes[0])) }
            domain.pins = pins.map { PolicyPin($0) }
            if [.holdfast, .trustKit, .android, .hpkp].contains(format) {
                domain.enforcement = Bool.random(using: &random) ? .enforce : .reportOnly
                domain.reportURIs = Bool.random(using: &random) ? ["https://r\(index).example/x?y=1&z"] : []
            }
            if [.holdfast, .trustKit, .android].contains(format), Bool.random(using: &random) {
                domain.expires = Timestamp(secondsSince1970: 86_400 * Int64.random(in: 20_000...40_000, using: &random))
            }
            if [.holdfast, .android].contains(format), Bool.random(using: &random) { domain.transparency = .chrome }
            document.domains.append(domain)
        }
        if format == .holdfast, Bool.random(using: &random) {
            document.denied = [PolicyPin(Pin(SPKIDigest(hashing: [9, 9]), scope: .ca))]
            document.semantics.requiresRuleForEveryHost = true
            document.domains[0].requiredScopes = [.ca, .leaf]
        }
        return document
    }

    private func semantics(of format: PolicyFormat) -> PolicySemantics {
        switch format {
        case .pinnedDomains: PolicySemantics(precedence: .union, backupPins: .off, emptyPins: .unpinned)
        case .okHttp: PolicySemantics(precedence: .union, backupPins: .off)
        case .curl: PolicySemantics(backupPins: .off)
        case .android, .chromium: PolicySemantics(backupPins: .warn, emptyPins: .unpinned)
        default: PolicySemantics()
        }
    }

    private func depths(of format: PolicyFormat) -> [HostPattern.Depth] {
        switch format {
        case .holdfast: HostPattern.Depth.allCases
        case .pinnedDomains: [.exact, .apexAndOneLabel]
        case .okHttp: [.exact, .oneLabel, .apexAndAnyDepth]
        case .curl: [.exact]
        default: [.exact, .apexAndAnyDepth]
        }
    }

    private func scopes(of format: PolicyFormat) -> [Pin.Scope] {
        switch format {
        case .holdfast: Pin.Scope.allCases
        case .pinnedDomains: [.leaf, .ca]
        case .curl: [.leaf]
        default: [.any]
        }
    }
}
