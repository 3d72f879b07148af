import HoldfastTrust

extension Linter {
    mutating func checkHosts() {
        var seen: [HostPattern: PolicyDomain] = [:]
        for rule in rules {
            let domain = rule.domain
            if let first = seen[rule.pattern] {
                let message =
                    "\"\(Printable.text(domain.text))\" and \"\(Printable.text(first.text))\" are the same: \(rule.pattern)"
                if document.semantics.precedence == .mostSpecific {
                    findings.error("duplicate-host", message, domain.path, domain.position)
                } else {
                    findings.warning("duplicate-host", message, domain.path, domain.position)
                }
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
            "other-spelling",
            "\"\(Printable.text(rule.domain.text))\" means \(rule.pattern.host); libraries that compare bytes would not find it",
            rule.domain.path, rule.domain.position)
    }

    private mutating func checkSuffix(_ rule: Rule) {
        let host = rule.pattern.host
        if document.format == .trustKit, host.isIPLiteral || !host.text.contains(".") {
            findings.warning(
                "trustkit-refuses", "TrustKit accepts no IP addresses and single labels, and refuses the configuration",
                rule.domain.path, rule.domain.position)
        }
        guard rule.pattern.depth != .exact, !rule.domain.isExcluded, PublicSuffixes.contains(host.text) else { return }
        findings.warning(
            "public-suffix",
            "below \(host) anyone can register a name: the rule covers strangers (list of \(PublicSuffixes.date))",
            rule.domain.path, rule.domain.position)
    }

    private mutating func checkReports(_ rule: Rule) {
        for uri in rule.domain.reportURIs where uri.lowercased().hasPrefix("http://") {
            findings.warning(
                "cleartext-report", "reports to \(Printable.text(uri)) can be read on the way", rule.domain.path,
                rule.domain.position)
        }
        if rule.domain.enforcement == .reportOnly, rule.domain.reportURIs.isEmpty, !rule.pins.isEmpty {
            findings.note(
                "report-only", "a mismatch for \(rule.pattern) is only reported, and no report URI is given",
                rule.domain.path, rule.domain.position)
        }
    }

    // MARK: - Rules that never count

    mutating func checkReach() {
        for (index, rule) in rules.enumerated() {
            let others = rules.enumerated().filter { $0.offset != index }.map(\.element)
            if rule.domain.isExcluded {
                let hasParent = others.contains { !$0.domain.isExcluded && $0.pattern.overlaps(rule.pattern) }
                if !hasParent, document.format == .holdfast {
                    findings.warning(
                        "unreachable-rule", "\(rule.pattern) is left out, and no rule would pin it anyway",
                        rule.domain.path, rule.domain.position)
                }
                continue
            }
            guard document.semantics.precedence == .mostSpecific else { continue }
            let levels = [0, 1, 2].filter { rule.pattern.depth.covers(labelsBelow: $0) }
            let order = HostPattern.Depth.allCases
            let reach = order.firstIndex(of: rule.pattern.depth) ?? 0
            let narrower = others.filter {
                $0.pattern.host == rule.pattern.host && (order.firstIndex(of: $0.pattern.depth) ?? 0) < reach
            }
            let isShadowed = levels.allSatisfy { level in
                narrower.contains { $0.pattern.depth.covers(labelsBelow: level) }
            }
            if isShadowed, !narrower.isEmpty {
                findings.warning(
                    "unreachable-rule", "narrower rules for \(rule.pattern.host) cover all that this one covers",
                    rule.domain.path, rule.domain.position)
            }
            let parent = others.filter {
                $0.pattern.host.text.utf8.count < rule.pattern.host.text.utf8.count && $0.pattern.reaches(rule.pattern)
            }.max { $0.pattern.host.text.utf8.count < $1.pattern.host.text.utf8.count }
            if let parent, !parent.domain.isExcluded, Set(parent.pins) == Set(rule.pins),
                parent.domain.enforcement == rule.domain.enforcement, parent.domain.expires == rule.domain.expires
            {
                findings.note(
                    "redundant-rule", "the rule for \(parent.pattern) asks the same of \(rule.pattern)",
                    rule.domain.path, rule.domain.position)
            }
        }
    }
}
