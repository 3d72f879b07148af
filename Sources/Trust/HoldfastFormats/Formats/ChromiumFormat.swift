import HoldfastBase
import HoldfastTrust

/// Reads Chromium's static pins: pin sets and the entries that refer to them.
///
/// A pin set lists names of hashes that a second file defines. A hash in place of a name is accepted too.
struct ChromiumReader {
    private var findings = Findings()
    private var keys: [String: SPKIDigest] = [:]

    static func read(_ root: PropertyNode, name: String, keys: [UInt8]?) -> PolicyDocument {
        var reader = ChromiumReader()
        if let keys { reader.keys = ChromiumKeys.read(keys, &reader.findings) }
        var document = PolicyDocument(
            format: .chromium, name: name, semantics: PolicySemantics(backupPins: .warn, emptyPins: .unpinned))
        reader.readTop(root, into: &document)
        document.diagnostics = reader.findings.all
        return document
    }

    /// Replaces comments with empty lines. Chromium's file has whole-line comments that begin with `//`, which JSON
    /// does not allow.
    static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for line in SourceLines(of: bytes) {
            guard let start = line.bytes.firstIndex(where: { $0 > 0x20 }),
                line.bytes[start...].starts(with: "//".utf8)
            else { continue }
            for index in line.bytes.indices { result[index] = 0x20 }
        }
        return result
    }

    private mutating func readTop(_ root: PropertyNode, into document: inout PolicyDocument) {
        var uris: [String: [String]] = [:]
        var names: Set<String> = []
        var knownBad: Set<Pin> = []
        let sets = root["pinsets"].map { findings.array($0.value, "pinsets") } ?? []
        for (index, node) in sets.enumerated() {
            let path = "pinsets[\(index)]"
            guard let name = text(node, "name", path) else { continue }
            if !names.insert(name).inserted {
                findings.error(
                    .duplicatePinSet, "the pin set \"\(Printable.text(name))\" is defined twice", path, node.position)
            }
            document.pinSets.append(
                PolicyPinSet(
                    name: name, pins: pins(node, "static_spki_hashes", path), path: path, position: node.position))
            let denied = pins(node, "bad_static_spki_hashes", path)
            if !denied.isEmpty {
                findings.warning(
                    .denyIsGlobal,
                    "Chromium denies these keys for the hosts of one pin set; Holdfast denies them for every host",
                    path + ".bad_static_spki_hashes", node.position)
            }
            document.denied += denied.filter { $0.pin.map { knownBad.insert($0).inserted } ?? true }
            if let uri = node["report_uri"], let text = findings.string(uri.value, path + ".report_uri") {
                uris[name] = [findings.reportURI(text, path + ".report_uri", uri.position)]
            }
        }
        guard let entries = root["entries"] else {
            return findings.error(.noEntries, "the key \"entries\" is missing", "entries", root.position)
        }
        var unpinned: [PolicyDomain] = []
        for (index, node) in findings.array(entries.value, "entries").enumerated() {
            let path = "entries[\(index)]"
            guard var domain = domain(node, path) else { continue }
            if let name = domain.pinSetName {
                if !names.contains(name) {
                    findings.error(
                        .unknownPinSet, "the pin set \"\(Printable.text(name))\" does not exist", path, node.position)
                }
                domain.reportURIs = uris[name] ?? []
                document.domains.append(domain)
            } else {
                unpinned.append(domain)
            }
        }
        // The most specific entry applies, and an entry without pins overrides the pins of its parent.
        var ignored = 0
        let pinned = document.domains.compactMap(\.pattern)
        let index = PatternIndex(pinned)
        for var domain in unpinned {
            guard let host = domain.pattern?.host else { continue }
            if index.atOrAbove(host).contains(where: { pinned[$0].covers(host) }) {
                domain.isExcluded = true
                domain.hasPins = false
                document.domains.append(domain)
            } else {
                ignored += 1
            }
        }
        findings.refuseDuplicates(in: document.domains)
        if ignored > 0 {
            findings.note(
                .otherSetting, "\(ignored) entries without pins are not imported", "entries", entries.position)
        }
    }

    private mutating func domain(_ node: PropertyNode, _ path: String) -> PolicyDomain? {
        guard let name = text(node, "name", path) else { return nil }
        let all = findings.bool(node["include_subdomains"], path + ".include_subdomains") ?? false
        let pinning =
            findings.bool(node["include_subdomains_for_pinning"], path + ".include_subdomains_for_pinning") ?? false
        var domain = PolicyDomain(text: name, pattern: nil, path: path, position: node.position)
        domain.pattern = findings.pattern(
            name, depth: all || pinning ? .apexAndAnyDepth : .exact, path + ".name", node.position)
        domain.pinSetName = node["pins"].flatMap { findings.string($0.value, path + ".pins") }
        return domain
    }

    private mutating func text(_ node: PropertyNode, _ key: String, _ path: String) -> String? {
        if let member = node[key] { return findings.string(member.value, "\(path).\(key)") }
        if node.members != nil {
            findings.error(.missingName, "the key \"\(key)\" is missing", path, node.position)
        } else {
            findings.error(.wrongType, "expected an object, found \(node.kind)", path, node.position)
        }
        return nil
    }

    private mutating func pins(_ node: PropertyNode, _ key: String, _ path: String) -> [PolicyPin] {
        guard let member = node[key] else { return [] }
        let path = "\(path).\(key)"
        return findings.array(member.value, path).enumerated().compactMap { index, value in
            let path = "\(path)[\(index)]"
            guard let name = findings.string(value, path) else { return nil }
            if let digest = keys[name] {
                return PolicyPin(text: name, pin: Pin(digest), comment: name, path: path, position: value.position)
            }
            if name.hasPrefix("sha256/") || name.hasPrefix("sha1/") {
                return BarePin.prefixed(name, path, value.position, &findings)
            }
            findings.error(
                .unknownKeyName,
                "the hash of \"\(Printable.text(name))\" is unknown: it is defined in Chromium's key file", path,
                value.position)
            return PolicyPin(text: name, pin: nil, path: path, position: value.position)
        }
    }
}

/// Reads Chromium's key file, which names each key: a line with the name, then a hash, or a certificate or key in PEM.
enum ChromiumKeys {
    static func read(_ bytes: [UInt8], _ findings: inout Findings) -> [String: SPKIDigest] {
        var keys: [String: SPKIDigest] = [:]
        var name: (text: String, position: SourcePosition)?
        var pem: [UInt8]?
        for line in SourceLines(of: bytes) {
            let text = XMLElement.trimmed(String(decoding: line.bytes, as: UTF8.self))
            let position = SourcePosition(line: line.number, column: 1)
            if var block = pem {
                block += Array(line.bytes) + [0x0A]
                pem = block
                guard text.hasPrefix("-----END"), let current = name else { continue }
                if let source = try? PinSource.sources(in: block).first {
                    keys[current.text] = source.publicKey.digest
                } else {
                    findings.error(
                        .invalidKey, "the key \"\(Printable.text(current.text))\" cannot be read", current.text,
                        current.position)
                }
                pem = nil
                name = nil
            } else if text.isEmpty || text.hasPrefix("#") {
                continue
            } else if let current = name {
                if text.hasPrefix("-----BEGIN") {
                    pem = Array(line.bytes) + [0x0A]
                } else if current.text == "PinsListTimestamp" {
                    name = nil
                } else {
                    let digest = text.hasPrefix("sha256/") ? BarePin.digest(String(text.dropFirst(7))) : nil
                    if digest == nil {
                        findings.error(
                            .invalidPin,
                            "\"\(Printable.text(text))\" is not a valid hash: expected sha256/ and 32 bytes in base64",
                            Printable.text(current.text), position)
                    }
                    keys[current.text] = digest
                    name = nil
                }
            } else {
                name = (text, position)
            }
        }
        if let name {
            findings.error(
                .invalidKey, "the key \"\(Printable.text(name.text))\" has no hash", Printable.text(name.text),
                name.position)
        }
        return keys
    }
}

/// Writes Chromium's static pins with hashes instead of names.
enum ChromiumWriter {
    private struct Content: Hashable {
        var pins: [Pin]
        var uri: String?
    }

    static func text(of domains: [FittedDomain], denied: [Pin]) -> String {
        var contents: [Content] = []
        var entries: [JSONNode.Value] = []
        for domain in domains {
            var name: String?
            if !domain.isExcluded {
                let content = Content(pins: domain.pins, uri: domain.reportURIs.first)
                let index = contents.firstIndex(of: content) ?? contents.count
                if index == contents.count { contents.append(content) }
                name = "set\(index + 1)"
            }
            entries.append(
                .fields([
                    ("name", .string(domain.pattern.host.text)),
                    ("include_subdomains", .bool(domain.pattern.depth == .apexAndAnyDepth)),
                    ("pins", name.map { .string($0) }),
                ]))
        }
        let sets = contents.enumerated().map { index, content in
            JSONNode.Value.fields([
                ("name", .string("set\(index + 1)")),
                ("static_spki_hashes", .list(content.pins.map { .text($0) })),
                ("bad_static_spki_hashes", denied.isEmpty ? nil : .list(denied.map { .text($0) })),
                ("report_uri", content.uri.map { .string($0) }),
            ])
        }
        return JSONWriter.text(.fields([("pinsets", .list(sets)), ("entries", .list(entries))]))
    }
}
