import ArgumentParser
import HoldfastFormats
import HoldfastTrust

/// Formats pins as text to be pasted into an app or its configuration.
struct PinSnippet {
    /// The rules, one for each host.
    let rules: [PinnedRule]

    /// Collects the keys of several sources. Each server has a rule, and the keys of files are added to all rules.
    ///
    /// Without a server the rule is for `host`, or for the first name of the first certificate. With `host` there is
    /// one rule with all keys.
    init(_ reports: [PinReport], host: HostPattern?) {
        let fromFiles = reports.filter { $0.host == nil }.flatMap(\.entries)
        var rules: [PinnedRule] = []
        if let host {
            var rule = PinnedRule(host)
            rule.add(reports.flatMap(\.entries))
            rules = [rule]
        } else {
            for report in reports {
                guard let host = report.host else { continue }
                let place = rules.firstIndex { $0.pattern.host == host } ?? rules.count
                if place == rules.count { rules.append(PinnedRule(HostPattern(host))) }
                rules[place].add(report.entries)
            }
            if rules.isEmpty, let pattern = PinSnippet.pattern(of: fromFiles) { rules = [PinnedRule(pattern)] }
            for place in rules.indices { rules[place].add(fromFiles) }
        }
        self.rules = rules
    }

    /// Returns the first name in the first certificate that is a host; `nil` if there is none.
    private static func pattern(of entries: [PinEntry]) -> HostPattern? {
        for entry in entries {
            for name in entry.certificate?.names ?? [] {
                if let pattern = try? HostPattern(name) { return pattern }
            }
        }
        return nil
    }

    /// Notes for the user about the text.
    var notes: [String] {
        rules.filter { $0.keys.count < 2 }.map {
            "\($0.pattern) has one pin and no backup: if its key is lost, no client can connect. "
                + "Add a backup key's file to the command"
        }
    }

    /// Returns the text, and what the format cannot express. The text is `nil` if nothing can be written.
    func text(as form: PinForm) -> (text: String?, findings: [PolicyDiagnostic]) {
        switch form {
        case .swift: (swift, [])
        case .okhttp: (kotlin, [])
        case .policy: converted(to: .holdfast)
        case .trustkit: converted(to: .trustKit)
        case .android: converted(to: .android)
        }
    }

    private func converted(to format: PolicyFormat) -> (text: String?, findings: [PolicyDiagnostic]) {
        let result = PolicyFormats.write(document, as: format)
        return (result.text, result.report)
    }

    private var name: String { rules.first?.pattern.host.text ?? "pins" }

    private var lacksBackup: Bool { rules.contains { $0.keys.count < 2 } }

    private var document: PolicyDocument {
        PolicyDocument(
            format: .holdfast, name: name,
            semantics: PolicySemantics(backupPins: lacksBackup ? .warn : .required(2)),
            domains: rules.enumerated().map { index, rule in
                PolicyDomain(
                    text: rule.pattern.description, pattern: rule.pattern,
                    pins: rule.keys.map {
                        PolicyPin(text: $0.digest.description, pin: Pin($0.digest), comment: $0.comment)
                    }, path: "domains[\(index)]")
            })
    }

    private var swift: String {
        var lines = ["let policy = try PinningPolicy(", "    name: \"\(name)\",", "    rules: ["]
        for rule in rules {
            lines += ["        PinningRule(", "            HostPattern(\"\(PinSnippet.spelling(of: rule.pattern))\"),"]
            lines.append("            keys: [")
            lines += rule.keys.map { "                SPKIDigest(\"\($0.digest)\"),  // \($0.comment)" }
            lines.append("            ])" + (rule == rules.last ? "" : ","))
        }
        lines.append("    ]" + (lacksBackup ? ", backupPins: .warn)" : ")"))
        return lines.joined(separator: "\n") + "\n"
    }

    private var kotlin: String {
        var lines = ["val certificatePinner = CertificatePinner.Builder()"]
        for rule in rules {
            lines += rule.keys.map {
                "    .add(\"\(PinSnippet.spelling(of: rule.pattern))\", \"\($0.digest)\") // \($0.comment)"
            }
        }
        lines.append("    .build()")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a pattern in the syntax of `HostPattern` and OkHttp.
    private static func spelling(of pattern: HostPattern) -> String {
        switch pattern.depth {
        case .oneLabel: "*." + pattern.host.text
        case .apexAndAnyDepth: "**." + pattern.host.text
        default: pattern.host.text
        }
    }
}

/// The formats in which `holdfast pin` prints pins, ready to be pasted.
enum PinForm: String, EnumerableFlag {
    /// Swift code that creates a policy.
    case swift
    /// A policy in Holdfast's format.
    case policy
    /// Kotlin code for OkHttp's `CertificatePinner`.
    case okhttp
    /// TrustKit's configuration, a property list.
    case trustkit
    /// Android's network security configuration.
    case android

    static func help(for value: PinForm) -> ArgumentHelp? {
        switch value {
        case .swift: "Print Swift code that creates a policy with the pins."
        case .policy: "Print a policy file with the pins."
        case .okhttp: "Print Kotlin code for OkHttp."
        case .trustkit: "Print TrustKit's configuration for an Info.plist."
        case .android: "Print Android's network security configuration."
        }
    }
}

/// The keys that `holdfast pin` found for one host.
struct PinnedRule: Hashable {
    /// One key.
    struct Key: Hashable {
        /// The pin.
        var digest: SPKIDigest
        /// A description of the key, safe inside a comment of any language.
        var comment: String
    }

    /// The hosts.
    var pattern: HostPattern
    /// The keys, without duplicates.
    private(set) var keys: [Key] = []

    /// Creates a rule without keys.
    init(_ pattern: HostPattern) {
        self.pattern = pattern
    }

    /// Adds the keys that are not yet in the rule.
    mutating func add(_ entries: [PinEntry]) {
        for entry in entries where !keys.contains(where: { $0.digest == entry.key.digest }) {
            keys.append(Key(digest: entry.key.digest, comment: PinnedRule.comment(on: entry)))
        }
    }

    /// Describes the key's certificate. A certificate's text is untrusted, and Java interprets escapes even inside
    /// comments, so only characters without a meaning in any of the languages are kept.
    private static func comment(on entry: PinEntry) -> String {
        guard let certificate = entry.certificate else { return entry.kind.words }
        let end = certificate.notAfter.map { ", until " + $0.description.prefix(10) } ?? ""
        let subject = String(
            String.UnicodeScalarView(
                certificate.subject.unicodeScalars.prefix(80).map { scalar in
                    let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                    return isPlain || " =.,*:()+@_".unicodeScalars.contains(scalar) ? scalar : "?"
                }))
        return subject + end
    }
}
