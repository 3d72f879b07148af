import HoldfastBase
import HoldfastTrust

/// Reads Android's network security configuration and its TrustKit-Android extension.
struct AndroidReader {
    /// The settings that a nested `domain-config` inherits from its parent.
    private struct Inherited {
        var pins: [PolicyPin]?
        var expires: Timestamp?
        var isReportOnly = false
        var hasTrustKit = false
        var reportURIs: [String] = []
        var transparency: TransparencyRequirement?
    }

    private var findings = Findings()
    private var domains: [PolicyDomain] = []
    private var hosts: Set<CanonicalHost> = []

    static func read(_ root: XMLElement, name: String) -> PolicyDocument {
        var reader = AndroidReader()
        var document = PolicyDocument(
            format: .android, name: name, semantics: PolicySemantics(backupPins: .warn, emptyPins: .unpinned))
        reader.readTop(root)
        document.domains = reader.domains
        document.diagnostics = reader.findings.all
        return document
    }

    private mutating func readTop(_ root: XMLElement) {
        guard root.name == "network-security-config" else {
            return findings.error(
                .wrongRoot, "the root element is <\(Printable.text(root.name))>, not <network-security-config>", "",
                root.position)
        }
        var seen: Set<String> = []
        var configurations = 0
        for element in root.elements {
            switch element.name {
            case "base-config", "debug-overrides":
                refuseSecond(element, &seen, element.name)
                common(element)
            case "domain-config":
                config(element, Inherited(), "domain-config[\(configurations)]")
                configurations += 1
            default: unknown(element, element.name)
            }
        }
    }

    /// Reads `base-config` and `debug-overrides`, which contain trust anchors but not pins.
    private mutating func common(_ element: XMLElement) {
        attributes(of: element, element.name)
        var seen: Set<String> = []
        for child in element.elements {
            let path = "\(element.name).\(child.name)"
            switch child.name {
            case "trust-anchors":
                refuseSecond(child, &seen, path)
                anchors(child, path, overridesByDefault: element.name == "debug-overrides")
            case "certificateTransparency": transparencyOfAll(child, path)
            case "domain", "pin-set", "domain-config":
                findings.error(
                    .misplacedElement, "<\(child.name)> is not allowed in <\(element.name)>", path, child.position)
            default: unknown(child, path)
            }
        }
        if element.name == "debug-overrides" {
            findings.warning(
                .debugOverrides,
                "settings for debuggable builds are not imported; name debug trust anchors in the policy",
                element.name, element.position)
        }
    }

    private mutating func config(_ element: XMLElement, _ inherited: Inherited, _ path: String) {
        attributes(of: element, path)
        var own = inherited
        var names: [XMLElement] = []
        var nested: [XMLElement] = []
        var seen: Set<String> = []
        for child in element.elements {
            let path = "\(path).\(child.name)"
            switch child.name {
            case "domain": names.append(child)
            case "domain-config": nested.append(child)
            case "pin-set":
                refuseSecond(child, &seen, path)
                own.pins = pins(child, path)
                own.expires = expiration(child, path)
            case "trust-anchors":
                refuseSecond(child, &seen, path)
                anchors(child, path, overridesByDefault: false)
            case "trustkit-config":
                refuseSecond(child, &seen, path)
                trustKit(child, path, &own)
            case "certificateTransparency":
                refuseSecond(child, &seen, path)
                // Android's policy follows Chrome's. An inner element can also switch the requirement off.
                own.transparency = flag(child, "enabled", path) ?? true ? .chrome : nil
            default: unknown(child, path)
            }
        }
        if names.isEmpty {
            findings.error(.noDomain, "a <domain-config> needs a <domain>", path, element.position)
        }
        if own.hasTrustKit, names.count > 1 {
            findings.warning(
                .severalDomains,
                "TrustKit-Android reads only the last <domain> of a <domain-config>; Holdfast reads all of them", path,
                names.first?.position)
        }
        // Only the element's own trustkit-config makes an empty pin-set an error: with an inherited one, Android uses
        // the empty set to remove a host's pins.
        if seen.contains("trustkit-config"), !own.isReportOnly, own.pins?.isEmpty == true {
            findings.error(.emptyPinSet, "pins are enforced, but the <pin-set> is empty", path, element.position)
        }
        for (index, name) in names.enumerated() { domain(name, own, "\(path).domain[\(index)]") }
        for (index, child) in nested.enumerated() { config(child, own, "\(path).domain-config[\(index)]") }
    }

    private mutating func domain(_ element: XMLElement, _ config: Inherited, _ path: String) {
        let text = XMLElement.trimmed(element.text)
        let flag = flag(element, "includeSubdomains", path) ?? false
        let pattern = findings.pattern(text, depth: flag ? .apexAndAnyDepth : .exact, path, element.position)
        if let pattern, !hosts.insert(pattern.host).inserted {
            findings.error(.duplicateHost, "\(pattern.host) is listed twice", path, element.position)
        }
        let pins = config.pins ?? []
        domains.append(
            PolicyDomain(
                text: text, pattern: pattern, pins: pins, hasPins: config.pins != nil,
                enforcement: config.isReportOnly ? .reportOnly : .enforce, expires: config.expires,
                isExcluded: pins.isEmpty, reportURIs: config.reportURIs, transparency: config.transparency, path: path,
                position: element.position))
    }

    private mutating func pins(_ element: XMLElement, _ path: String) -> [PolicyPin] {
        var pins: [PolicyPin] = []
        for child in element.elements {
            guard child.name == "pin" else {
                unknown(child, "\(path).\(child.name)")
                continue
            }
            let path = "\(path).pin[\(pins.count)]"
            switch child.attribute("digest")?.value {
            // Android compares the digest name case-insensitively.
            case let digest? where digest.lowercased() == "sha-256": break
            case nil: findings.error(.missingDigest, "the attribute \"digest\" is missing", path, child.position)
            case let other?:
                findings.error(
                    .unknownDigest, "the digest is \"\(Printable.text(other))\", expected SHA-256", path,
                    child.position)
            }
            pins.append(findings.pin(XMLElement.trimmed(child.text), path, child.position))
        }
        return pins
    }

    private mutating func expiration(_ element: XMLElement, _ path: String) -> Timestamp? {
        guard let attribute = element.attribute("expiration") else { return nil }
        guard attribute.value.utf8.count == 10, let date = Timestamp(iso8601: attribute.value) else {
            findings.error(
                .invalidDate,
                "\"\(Printable.text(attribute.value))\" is not a valid date, expected a form such as 2027-01-31",
                path + ".expiration", attribute.position)
            return nil
        }
        findings.note(
            .localExpiry,
            "Android ends the pins at midnight of \(attribute.value) in the device's time zone; Holdfast uses UTC, "
                + "up to 14 hours apart",
            path + ".expiration", attribute.position)
        return date
    }

    private mutating func trustKit(_ element: XMLElement, _ path: String, _ config: inout Inherited) {
        config.hasTrustKit = true
        config.isReportOnly = !(flag(element, "enforcePinning", path) ?? false)
        if flag(element, "disableDefaultReportUri", path) != true {
            findings.note(
                .defaultReportURI,
                "TrustKit-Android also sends reports to its vendor; Holdfast never does", path, element.position)
        }
        if config.isReportOnly {
            findings.note(
                .reportOnly,
                "TrustKit-Android only reports unless enforcePinning is true; Android itself enforces a <pin-set>",
                path, element.position)
        }
        config.reportURIs = []
        for child in element.elements {
            guard child.name == "report-uri" else {
                unknown(child, "\(path).\(child.name)")
                continue
            }
            config.reportURIs.append(findings.reportURI(XMLElement.trimmed(child.text), path, child.position))
        }
    }

    private mutating func refuseSecond(_ element: XMLElement, _ seen: inout Set<String>, _ path: String) {
        guard !seen.insert(element.name).inserted else { return }
        findings.error(.secondElement, "a second <\(element.name)> is not allowed", path, element.position)
    }

    private mutating func anchors(_ element: XMLElement, _ path: String, overridesByDefault: Bool) {
        for child in element.elements {
            guard child.name == "certificates" else {
                unknown(child, "\(path).\(child.name)")
                continue
            }
            let overrides = flag(child, "overridePins", path) ?? overridesByDefault
            let source = child.attribute("src")?.value ?? ""
            switch source {
            case "system": break
            case "user":
                findings.warning(
                    .trustAnchors, "certificates that the user installed are not imported as trust anchors", path,
                    child.position)
            case _ where source.hasPrefix("@"):
                findings.warning(
                    .trustAnchors,
                    "the trust anchors in \(Printable.text(source)) are not part of this file and are not imported",
                    path,
                    child.position)
            default:
                findings.error(
                    .unknownSource, "the source \"\(Printable.text(source))\" is unknown", path, child.position)
            }
            if overrides {
                findings.warning(
                    .overridePins,
                    "overridePins disables pins for these anchors; in Holdfast, pins apply to every anchor", path,
                    child.position)
            }
        }
    }

    /// Reports that certificate transparency is required of every host. A rule of Holdfast needs a host.
    private mutating func transparencyOfAll(_ element: XMLElement, _ path: String) {
        guard flag(element, "enabled", path) ?? true else {
            return findings.note(
                .otherSetting, "certificate transparency is not required of hosts without a rule", path,
                element.position)
        }
        findings.warning(
            .certificateTransparency,
            "certificate transparency is required of every host; Holdfast requires it only in rules for hosts", path,
            element.position)
    }

    private mutating func flag(_ element: XMLElement, _ name: String, _ path: String) -> Bool? {
        guard let attribute = element.attribute(name) else { return nil }
        switch attribute.value {
        case "true": return true
        case "false": return false
        default:
            findings.error(
                .wrongType, "\"\(Printable.text(attribute.value))\" is not valid, expected true or false",
                "\(path).\(name)",
                attribute.position)
            return nil
        }
    }

    private mutating func attributes(of element: XMLElement, _ path: String) {
        for attribute in element.attributes where !attribute.name.hasPrefix("xmlns") {
            findings.note(
                .otherSetting, "\(Printable.text(attribute.name)) does not concern pins and is not imported",
                "\(path).\(attribute.name)", attribute.position)
        }
    }

    private mutating func unknown(_ element: XMLElement, _ path: String) {
        findings.warning(
            .unknownElement, "<\(Printable.text(element.name))> is unknown and ignored, as on Android", path,
            element.position)
    }
}

/// Writes Android's network security configuration. Adds TrustKit-Android's element if a rule is report-only or has
/// report URIs.
enum AndroidWriter {
    static func text(of domains: [FittedDomain]) -> String {
        var writer = XMLWriter()
        // Each host gets its own configuration, because TrustKit-Android reads only the last host of a configuration.
        writer.element("network-security-config") { writer in
            for domain in domains { write(domain, to: &writer) }
        }
        return writer.text
    }

    private static func write(_ domain: FittedDomain, to writer: inout XMLWriter) {
        writer.element("domain-config") { writer in
            let includes = domain.pattern.depth == .apexAndAnyDepth
            writer.element(
                "domain", includes ? [("includeSubdomains", "true")] : [], text: domain.pattern.host.text)
            let expiration = domain.expires.map { [("expiration", String($0.description.prefix(10)))] } ?? []
            if domain.transparency != nil { writer.empty("certificateTransparency", [("enabled", "true")]) }
            if domain.isExcluded { return writer.empty("pin-set") }
            writer.element("pin-set", expiration) { writer in
                for pin in domain.pins { writer.element("pin", [("digest", "SHA-256")], text: pin.base64) }
            }
            guard domain.enforcement == .reportOnly || !domain.reportURIs.isEmpty else { return }
            writer.element(
                "trustkit-config",
                [
                    ("enforcePinning", domain.enforcement == .enforce ? "true" : "false"),
                    ("disableDefaultReportUri", "true"),
                ]
            ) { writer in
                for uri in domain.reportURIs { writer.element("report-uri", text: uri) }
            }
        }
    }
}
