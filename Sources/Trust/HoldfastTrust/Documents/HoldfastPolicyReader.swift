import HoldfastBase

/// Reads version 1 of Holdfast's own policy format: JSON, described in <doc:Policy-Format>.
///
/// An unknown key is an error, because a misspelled key would otherwise have no effect without notice. All errors are
/// reported, not only the first.
struct HoldfastPolicyReader {
    private var diagnostics = DiagnosticCollector()

    /// Reads a document. Never throws: errors are diagnostics of the document.
    static func read(_ bytes: [UInt8]) -> PolicyDocument {
        var reader = HoldfastPolicyReader()
        var document = PolicyDocument(format: .holdfast, name: "unnamed", semantics: PolicySemantics())
        do throws(JSONFault) {
            reader.readTop(try JSONReader.read(bytes), into: &document)
        } catch {
            reader.diagnostics.add(
                PolicyDiagnostic(.error, .invalidJSON, error.reason, path: "", position: error.position))
        }
        document.diagnostics = reader.diagnostics.all
        return document
    }

    private static let keys: Set<String> = [
        "$schema", "comment", "holdfast", "name", "precedence", "unlistedHosts", "backupPins", "pinSets", "domains",
        "deny", "anchors",
    ]

    private mutating func readTop(_ node: JSONNode, into document: inout PolicyDocument) {
        let top = fields(of: node, path: "", allowed: HoldfastPolicyReader.keys)
        if let version = top["holdfast"] {
            if version.value != .number("1") {
                error(.unknownVersion, "the version is not supported, expected 1", "holdfast", version)
            }
        } else if case .object = node.value {
            error(.missingVersion, "the key \"holdfast\" with the version of the format, 1, is missing", "", node)
        }
        document.name = top["name"].flatMap { string($0, "name") } ?? "unnamed"
        if let value = top["precedence"] {
            document.semantics.precedence = choice(value, "precedence") ?? .mostSpecific
        }
        if let value = top["unlistedHosts"] {
            switch string(value, "unlistedHosts") {
            case "systemTrust": break
            case "refuse": document.semantics.requiresRuleForEveryHost = true
            case nil: break
            case let other?:
                error(
                    .unknownValue, "\"\(other)\" is not valid, expected \"systemTrust\" or \"refuse\"", "unlistedHosts",
                    value)
            }
        }
        if let value = top["backupPins"] { document.semantics.backupPins = backupPins(value) }
        if let value = top["pinSets"] { document.pinSets = pinSets(value) }
        if let value = top["domains"] {
            document.domains = array(value, "domains").enumerated().compactMap { domain($1, "domains[\($0)]") }
        }
        if let value = top["deny"] { document.denied = pins(value, "deny") }
        if let value = top["anchors"] { document.anchors = anchors(value) }
    }

    private mutating func backupPins(_ node: JSONNode) -> BackupPins {
        switch node.value {
        case .string("warn"): return .warn
        case .string("off"): return .off
        case .number(let text):
            if let count = Int(text), (1...100).contains(count) { return .required(count) }
        default: break
        }
        error(.unknownValue, "expected a number of pins, \"warn\" or \"off\"", "backupPins", node)
        return .required(2)
    }

    private mutating func pinSets(_ node: JSONNode) -> [PolicyPinSet] {
        guard case .object(let members) = node.value else {
            error(.wrongType, "expected an object of pin sets, found \(node.kind)", "pinSets", node)
            return []
        }
        return members.map { member in
            let path = "pinSets.\(member.key)"
            return PolicyPinSet(
                name: member.key, pins: pins(member.value, path), path: path, position: member.position)
        }
    }

    private static let domainKeys: Set<String> = [
        "host", "includesSubdomains", "depth", "pins", "pinSet", "excluded", "enforcement", "expires", "reportURIs",
        "comment", "everyScopeMustMatch", "requiredScopes", "transparency",
    ]

    private mutating func domain(_ node: JSONNode, _ path: String) -> PolicyDomain? {
        let fields = fields(of: node, path: path, allowed: HoldfastPolicyReader.domainKeys)
        guard let hostNode = fields["host"] else {
            if case .object = node.value { error(.missingHost, "the key \"host\" is missing", path, node) }
            return nil
        }
        guard let text = string(hostNode, path + ".host") else { return nil }
        var domain = PolicyDomain(text: text, pattern: nil, path: path, position: node.position)
        domain.pattern = pattern(text, hostNode, fields, path)
        if let value = fields["pins"] { domain.pins = pins(value, path + ".pins") }
        domain.hasPins = fields["pins"] != nil
        domain.pinSetName = fields["pinSet"].flatMap { string($0, path + ".pinSet") }
        domain.isExcluded = fields["excluded"].flatMap { bool($0, path + ".excluded") } ?? false
        domain.everyScopeMustMatch =
            fields["everyScopeMustMatch"].flatMap { bool($0, path + ".everyScopeMustMatch") } ?? false
        if let value = fields["requiredScopes"] {
            domain.requiredScopes = Set(
                array(value, path + ".requiredScopes").enumerated()
                    .compactMap { choice($1, path + ".requiredScopes[\($0)]") })
        }
        domain.enforcement = fields["enforcement"].flatMap { choice($0, path + ".enforcement") } ?? .enforce
        if let value = fields["expires"] { domain.expires = instant(value, path + ".expires") }
        if let value = fields["reportURIs"] {
            domain.reportURIs = array(value, path + ".reportURIs").enumerated()
                .compactMap { reportURI($1, path + ".reportURIs[\($0)]") }
        }
        if let value = fields["transparency"] {
            domain.transparency = transparency(value, path + ".transparency")
            // A rule may require certificate timestamps without pins. An empty list of pins stays an error.
            let names: Set<String> = ["pins", "pinSet", "requiredScopes", "excluded"]
            if names.isDisjoint(with: fields.keys) { domain.isExcluded = true }
        }
        if domain.isExcluded,
            !domain.pins.isEmpty || domain.pinSetName != nil || !domain.requiredScopes.isEmpty
        {
            error(.excludedWithPins, "an excluded host must not have pins", path, node)
        }
        return domain
    }

    private mutating func reportURI(_ node: JSONNode, _ path: String) -> String? {
        guard let text = string(node, path) else { return nil }
        if ReportURI.isUsable(text) { return text }
        error(.invalidReportURI, "\"\(Printable.text(text))\" is not an http or https URL", path, node)
        return nil
    }

    private mutating func pattern(
        _ text: String, _ node: JSONNode, _ fields: [String: JSONNode], _ path: String
    ) -> HostPattern? {
        do throws(HostError) {
            let pattern = try HostPattern(text)
            if let depth = fields["depth"] {
                if pattern.depth != .exact || fields["includesSubdomains"] != nil {
                    error(.twoDepths, "the depth is given twice", path + ".depth", depth)
                }
                let wanted: HostPattern.Depth? = choice(depth, path + ".depth")
                if pattern.host.isIPLiteral, let wanted, wanted != .exact {
                    error(.subdomainsOfAddress, "IP addresses do not have subdomains", path + ".depth", depth)
                }
                return wanted.map { HostPattern(pattern.host, depth: $0) } ?? pattern
            }
            if let flag = fields["includesSubdomains"], bool(flag, path + ".includesSubdomains") == true {
                if pattern.depth != .exact {
                    error(.twoDepths, "the depth is given twice", path + ".includesSubdomains", flag)
                }
                if pattern.host.isIPLiteral {
                    error(
                        .subdomainsOfAddress, "IP addresses do not have subdomains", path + ".includesSubdomains", flag)
                }
                return HostPattern(pattern.host, depth: .apexAndAnyDepth)
            }
            return pattern
        } catch {
            self.error(.invalidHost, error.reason, path + ".host", node)
            return nil
        }
    }

    private mutating func pins(_ node: JSONNode, _ path: String) -> [PolicyPin] {
        array(node, path).enumerated().compactMap { pin($1, "\(path)[\($0)]") }
    }

    private mutating func pin(_ node: JSONNode, _ path: String) -> PolicyPin? {
        var result = PolicyPin(text: "", pin: nil, path: path, position: node.position)
        if case .string(let text) = node.value {
            result.text = text
            result.pin = SPKIDigest(base64: text).map { Pin($0) }
        } else {
            let fields = fields(of: node, path: path, allowed: ["sha256", "scope", "domain", "comment"])
            guard let hash = fields["sha256"], let text = string(hash, path + ".sha256") else {
                if case .object = node.value { error(.missingHash, "the key \"sha256\" is missing", path, node) }
                return nil
            }
            result.text = text
            result.comment = fields["comment"].flatMap { string($0, path + ".comment") }
            let scope: Pin.Scope = fields["scope"].flatMap { choice($0, path + ".scope") } ?? .any
            let domain: Pin.Domain = fields["domain"].flatMap { choice($0, path + ".domain") } ?? .spki
            result.pin = SPKIDigest(base64: text).map { Pin($0.sha256, domain: domain, scope: scope) }
        }
        if result.pin == nil {
            error(
                .invalidPin, "\"\(Printable.text(result.text))\" is not a valid pin: expected 32 bytes in base64",
                path, node)
        }
        return result
    }

    private mutating func anchors(_ node: JSONNode) -> LocalAnchors? {
        let fields = fields(of: node, path: "anchors", allowed: ["mode", "certificates", "pinning", "comment"])
        guard let list = fields["certificates"] else {
            if case .object = node.value {
                error(.missingCertificates, "the key \"certificates\" is missing", "anchors", node)
            }
            return nil
        }
        var certificates: [CertificateView] = []
        for (index, item) in array(list, "anchors.certificates").enumerated() {
            let path = "anchors.certificates[\(index)]"
            guard let text = string(item, path) else { continue }
            do throws(CertificateError) {
                certificates += try CertificateLoading.certificates(in: Array(text.utf8))
            } catch {
                self.error(.invalidCertificate, error.reason, path, item)
            }
        }
        var result = LocalAnchors(certificates)
        if let mode = fields["mode"] {
            switch string(mode, "anchors.mode") {
            case "additional", nil: break
            case "only": result.replaceOthers = true
            case let other?:
                error(
                    .unknownValue, "\"\(other)\" is not valid, expected \"additional\" or \"only\"", "anchors.mode",
                    mode)
            }
        }
        result.pinning = fields["pinning"].flatMap { choice($0, "anchors.pinning") } ?? .enforced
        return result
    }

    // MARK: - Values

    mutating func fields(of node: JSONNode, path: String, allowed: Set<String>) -> [String: JSONNode] {
        guard case .object(let members) = node.value else {
            error(.wrongType, "expected an object, found \(node.kind)", path, node)
            return [:]
        }
        for member in members where !allowed.contains(member.key) {
            diagnostics.add(
                PolicyDiagnostic(
                    .error, .unknownKey, "the key \"\(Printable.text(member.key))\" is unknown",
                    path: path.isEmpty ? member.key : "\(path).\(member.key)", position: member.position))
        }
        return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    mutating func array(_ node: JSONNode, _ path: String) -> [JSONNode] {
        if case .array(let elements) = node.value { return elements }
        error(.wrongType, "expected an array, found \(node.kind)", path, node)
        return []
    }

    mutating func string(_ node: JSONNode, _ path: String) -> String? {
        if case .string(let text) = node.value { return text }
        error(.wrongType, "expected a string, found \(node.kind)", path, node)
        return nil
    }

    mutating func bool(_ node: JSONNode, _ path: String) -> Bool? {
        if case .bool(let flag) = node.value { return flag }
        error(.wrongType, "expected true or false, found \(node.kind)", path, node)
        return nil
    }

    mutating func choice<Value>(_ node: JSONNode, _ path: String) -> Value?
    where Value: RawRepresentable<String> & CaseIterable {
        guard let text = string(node, path) else { return nil }
        if let value = Value(rawValue: text) { return value }
        let known = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        error(.unknownValue, "\"\(Printable.text(text))\" is not valid, expected one of \(known)", path, node)
        return nil
    }

    /// Reads a time with a time zone. A date without a time zone would mean different times in different places.
    private mutating func instant(_ node: JSONNode, _ path: String) -> Timestamp? {
        guard let text = string(node, path) else { return nil }
        if text.utf8.count > 10, let time = Timestamp(iso8601: text) { return time }
        error(
            .invalidDate,
            "\"\(Printable.text(text))\" is not a valid time with a zone, expected a form such as 2027-01-31T00:00:00Z",
            path,
            node)
        return nil
    }

    mutating func error(_ code: PolicyDiagnostic.Code, _ message: String, _ path: String, _ node: JSONNode) {
        diagnostics.add(PolicyDiagnostic(.error, code, message, path: path, position: node.position))
    }
}
