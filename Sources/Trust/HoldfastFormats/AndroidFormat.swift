import HoldfastBase
import HoldfastTrust

/// Reads Android's network security configuration, and TrustKit-Android's extension of it.
struct AndroidReader {
    /// What a nested `domain-config` takes over from the one around it.
    private struct Inherited {
        var pins: [PolicyPin]?
        var expires: Timestamp?
        var isReportOnly = false
        var hasTrustKit = false
        var reportURIs: [String] = []
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

    /// `base-config` and `debug-overrides` hold trust anchors and no pins.
    private mutating func common(_ element: XMLElement) {
        attributes(of: element, element.name)
        var seen: Set<String> = []
        for child in element.elements {
            let path = "\(element.name).\(child.name)"
            switch child.name {
            case "trust-anchors":
                refuseSecond(child, &seen, path)
                anchors(child, path, overridesByDefault: element.name == "debug-overrides")
            case "certificateTransparency": transparency(child, path)
            case "domain", "pin-set", "domain-config":
                findings.error(
                    .misplacedElement, "<\(child.name)> has no place in <\(element.name)>", path, child.position)
            default: unknown(child, path)
            }
        }
        if element.name == "debug-overrides" {
            findings.warning(
                .debugOverrides,
                "what holds for debuggable builds alone is not taken over; give debug anchors to the policy by name",
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
            case "certificateTransparency": transparency(child, path)
            default: unknown(child, path)
            }
        }
        if names.isEmpty {
            findings.error(.noDomain, "a <domain-config> needs a <domain>", path, element.position)
        }
        if own.hasTrustKit, names.count > 1 {
            findings.warning(
                .severalDomains,
                "TrustKit-Android reads only the last <domain> of a <domain-config>; here all of them count", path,
                names.first?.position)
        }
        // An inherited setting does not forbid what Android un-pins a host with.
        if seen.contains("trustkit-config"), !own.isReportOnly, own.pins?.isEmpty == true {
            findings.error(.emptyPinSet, "pins are enforced, and the <pin-set> is empty", path, element.position)
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
                isExcluded: pins.isEmpty, reportURIs: config.reportURIs, path: path, position: element.position))
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
            // Android compares it without regard to case.
            case let digest? where digest.lowercased() == "sha-256": break
            case nil: findings.error(.missingDigest, "the attribute \"digest\" is missing", path, child.position)
            case let other?:
                findings.error(
                    .unknownDigest, "the digest is \"\(Printable.text(other))\", and only SHA-256 is known", path,
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
                .invalidDate, "\"\(Printable.text(attribute.value))\" is not a date as in 2027-01-31",
                path + ".expiration", attribute.position)
            return nil
        }
        findings.note(
            .localExpiry,
            "Android lets the pins end at the beginning of \(attribute.value) in the device's zone; here it is that of UTC, up to 14 hours apart",
            path + ".expiration", attribute.position)
        return date
    }

    private mutating func trustKit(_ element: XMLElement, _ path: String, _ config: inout Inherited) {
        config.hasTrustKit = true
        config.isReportOnly = !(flag(element, "enforcePinning", path) ?? false)
        if flag(element, "disableDefaultReportUri", path) != true {
            findings.note(
                .defaultReportURI,
                "TrustKit-Android would also send reports to its maker; Holdfast never does", path, element.position)
        }
        if config.isReportOnly {
            findings.note(
                .reportOnly,
                "TrustKit-Android only reports here, unless enforcePinning is true; Android itself enforces a <pin-set>",
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
        findings.error(.secondElement, "there is a second <\(element.name)>", path, element.position)
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
                    .trustAnchors, "certificates that the user installed are not taken over as anchors", path,
                    child.position)
            case _ where source.hasPrefix("@"):
                findings.warning(
                    .trustAnchors,
                    "the anchors in \(Printable.text(source)) are not in this file, and are not taken over", path,
                    child.position)
            default:
                findings.error(
                    .unknownSource, "the source \"\(Printable.text(source))\" is unknown", path, child.position)
            }
            if overrides {
                findings.warning(
                    .overridePins,
                    "overridePins switches pins off for these anchors; here pins hold for every anchor", path,
                    child.position)
            }
        }
    }

    /// Android 16 asks for signed certificate timestamps; here nothing does.
    private mutating func transparency(_ element: XMLElement, _ path: String) {
        guard flag(element, "enabled", path) ?? true else {
            return findings.note(
                .otherSetting, "certificate transparency is switched off, and is not checked here either", path,
                element.position)
        }
        findings.warning(
            .certificateTransparency, "certificate transparency is not checked here: the pins alone count", path,
            element.position)
    }

    private mutating func flag(_ element: XMLElement, _ name: String, _ path: String) -> Bool? {
        guard let attribute = element.attribute(name) else { return nil }
        switch attribute.value {
        case "true": return true
        case "false": return false
        default:
            findings.error(
                .wrongType, "\"\(Printable.text(attribute.value))\" is neither true nor false", "\(path).\(name)",
                attribute.position)
            return nil
        }
    }

    private mutating func attributes(of element: XMLElement, _ path: String) {
        for attribute in element.attributes where !attribute.name.hasPrefix("xmlns") {
            findings.note(
                .otherSetting, "\(Printable.text(attribute.name)) is not about pins, and is not taken over",
                "\(path).\(attribute.name)", attribute.position)
        }
    }

    private mutating func unknown(_ element: XMLElement, _ path: String) {
        findings.warning(
            .unknownElement, "<\(Printable.text(element.name))> is unknown here; Android skips it too", path,
            element.position)
    }
}

/// Writes Android's network security configuration; TrustKit-Android's element where something is only reported, or
/// reported somewhere.
enum AndroidWriter {
    static func text(of domains: [AdaptedDomain]) -> String {
        var writer = XMLWriter()
        // One configuration for each host: TrustKit-Android reads only the last host of one.
        writer.element("network-security-config") { writer in
            for domain in domains { write(domain, to: &writer) }
        }
        return writer.text
    }

    private static func write(_ domain: AdaptedDomain, to writer: inout XMLWriter) {
        writer.element("domain-config") { writer in
            let includes = domain.pattern.depth == .apexAndAnyDepth
            writer.element(
                "domain", includes ? [("includeSubdomains", "true")] : [], text: domain.pattern.host.text)
            let expiration = domain.expires.map { [("expiration", String($0.description.prefix(10)))] } ?? []
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
