import HoldfastBase
import HoldfastTrust

extension Linter {
    mutating func checkHosts() {
        var seen: [HostPattern: PolicyDomain] = [:]
        for rule in rules {
            let domain = rule.domain
            if let first = seen[rule.pattern] {
                let message =
                    "\"\(Printable.text(domain.text))\" and \"\(Printable.text(first.text))\" are the same: "
                    + "\(rule.pattern)"
                let isError = document.semantics.precedence == .mostSpecific
                findings.add(isError ? .error : .warning, .duplicateHost, message, domain.path, domain.position)
            } else {
                seen[rule.pattern] = domain
            }
            checkSpelling(rule)
            checkSuffix(rule)
            checkReports(rule)
        }
    }

    private mutating func checkSpelling(_ rule: Rule) {
        let written = rule.domain.text.drop { $0 == "*" }
        let host = written.hasPrefix(".") ? String(written.dropFirst()) : String(written)
        guard !host.isEmpty, host != rule.pattern.host.text else { return }
        findings.note(
            at: rule.domain, .otherSpelling,
            "\"\(Printable.text(rule.domain.text))\" means \(rule.pattern.host); libraries that compare bytes do "
                + "not find it"
        )
    }

    private mutating func checkSuffix(_ rule: Rule) {
        let host = rule.pattern.host
        if document.format == .trustKit, host.isIPLiteral || !host.text.contains(".") {
            findings.warning(
                at: rule.domain, .trustKitRefuses,
                "TrustKit refuses the configuration: IP addresses and single-label hosts are not accepted")
        }
        guard rule.pattern.depth != .exact, !rule.domain.isExcluded, PublicSuffixes.contains(host.text) else { return }
        findings.warning(
            at: rule.domain, .publicSuffix,
            "anyone can register names under \(host): the rule covers hosts of others (list of \(PublicSuffixes.date))")
    }

    private mutating func checkReports(_ rule: Rule) {
        for uri in rule.domain.reportURIs where uri.lowercased().hasPrefix("http://") {
            findings.warning(
                at: rule.domain, .cleartextReport, "reports to \(Printable.text(uri)) are sent unencrypted")
        }
        if rule.domain.enforcement == .reportOnly, rule.domain.reportURIs.isEmpty, !rule.pins.isEmpty {
            findings.note(
                at: rule.domain, .reportOnly,
                "mismatches for \(rule.pattern) are only reported, but there is no report URI")
        }
    }

    // MARK: - Rules that never apply

    mutating func checkReach() {
        let patterns = rules.map(\.pattern)
        let index = PatternIndex(patterns)
        for rule in rules {
            let beneath = index.beneath(rule.pattern).map { rules[$0] }
            if rule.domain.isExcluded {
                checkExclusion(rule, beneath)
            } else if document.semantics.precedence == .mostSpecific {
                checkShadow(rule, index)
                checkRedundance(rule, beneath)
            }
        }
    }

    private mutating func checkExclusion(_ rule: Rule, _ beneath: [Rule]) {
        let pinned = beneath.first { !$0.domain.isExcluded }
        if let pinned, !rule.domain.hasPins, [.android, .chromium].contains(document.format) {
            findings.warning(
                at: rule.domain, .unpinnedByOmission,
                "the entry for \(rule.pattern) has no pins, and so overrides the pins of \(pinned.pattern)")
        }
        // A rule without pins that requires certificate timestamps has an effect of its own. One without them below a
        // rule that requires them has the effect that they are not required.
        let concernsTimestamps = ([rule] + beneath).contains { $0.domain.transparency != nil }
        if pinned == nil, !concernsTimestamps, document.format == .holdfast {
            findings.warning(
                at: rule.domain, .unreachableRule, "\(rule.pattern) is excluded, but no rule pins it")
        }
    }

    /// Warns if narrower rules for the same host cover all hosts of this rule.
    private mutating func checkShadow(_ rule: Rule, _ index: PatternIndex) {
        let narrower = index.atOrAbove(rule.pattern.host).map { rules[$0].pattern }
            .filter { $0.host == rule.pattern.host && rule.pattern.isLessSpecific(than: $0) }
        let isShadowed = [0, 1, 2].filter { rule.pattern.depth.covers(labelsBelow: $0) }.allSatisfy { level in
            narrower.contains { $0.depth.covers(labelsBelow: level) }
        }
        guard isShadowed, !narrower.isEmpty else { return }
        findings.warning(
            at: rule.domain, .unreachableRule, "narrower rules for \(rule.pattern.host) cover all hosts of this rule")
    }

    private mutating func checkRedundance(_ rule: Rule, _ beneath: [Rule]) {
        let parent = beneath.filter { $0.pattern.host != rule.pattern.host && $0.pattern.reaches(rule.pattern) }
            .max { $0.pattern.isLessSpecific(than: $1.pattern) }
        guard let parent, !parent.domain.isExcluded, Set(parent.pins) == Set(rule.pins),
            parent.domain.everyScopeMustMatch == rule.domain.everyScopeMustMatch,
            parent.domain.requiredScopes == rule.domain.requiredScopes,
            parent.domain.enforcement == rule.domain.enforcement, parent.domain.expires == rule.domain.expires,
            Set(parent.domain.reportURIs) == Set(rule.domain.reportURIs)
        else { return }
        findings.note(
            at: rule.domain, .redundantRule,
            "the rule for \(parent.pattern) has the same requirements for \(rule.pattern)")
    }
}

/// Common public suffixes, under which anyone can register names.
///
/// Only lint uses the table, and no trust decision depends on it. A missing name only means a missing warning.
enum PublicSuffixes {
    /// The date of the table.
    static let date = "2026-11-21"

    /// Returns whether anyone can register names under the given name. Every single label counts as a public suffix,
    /// except for the names of private networks.
    static func contains(_ name: String) -> Bool {
        if !name.contains(".") { return !privateNames.contains(name) }
        return table.contains(name)
    }

    private static let privateNames: Set<String> = [
        "localhost", "local", "internal", "intranet", "corp", "home", "lan", "private", "test", "example", "invalid",
    ]

    private static let table: Set<String> = [
        // Domain registries.
        "co.uk", "org.uk", "ac.uk", "gov.uk", "me.uk", "net.uk", "com.au", "net.au", "org.au", "edu.au", "gov.au",
        "co.nz", "org.nz", "net.nz", "govt.nz", "co.jp", "ne.jp", "or.jp", "ac.jp", "go.jp", "com.br", "net.br",
        "org.br", "gov.br", "com.cn", "net.cn", "org.cn", "gov.cn", "com.tw", "com.hk", "com.sg", "com.my", "co.in",
        "net.in", "org.in", "gov.in", "co.kr", "or.kr", "co.za", "org.za", "com.mx", "com.ar", "com.tr", "com.ua",
        "co.il", "co.id", "com.vn", "com.ph", "co.th", "com.pl", "net.pl", "com.ru", "com.es", "com.pt", "com.gr",
        "com.sa", "co.ke", "com.ng", "com.eg", "com.pk", "com.bd", "com.co", "com.pe", "com.ve", "co.at", "or.at",
        // Hosting providers whose customers publish under the provider's domain.
        "github.io", "gitlab.io", "githubusercontent.com", "herokuapp.com", "netlify.app", "vercel.app", "pages.dev",
        "workers.dev", "web.app", "firebaseapp.com", "appspot.com", "run.app", "cloudfunctions.net",
        "azurewebsites.net",
        "cloudapp.net", "azureedge.net", "blob.core.windows.net", "cloudfront.net", "s3.amazonaws.com",
        "elasticbeanstalk.com", "amplifyapp.com", "fly.dev", "onrender.com", "blogspot.com", "wordpress.com",
        "ngrok.io", "ngrok.app", "readthedocs.io", "surge.sh", "glitch.me", "repl.co", "deno.dev", "vercel.dev",
    ]
}
