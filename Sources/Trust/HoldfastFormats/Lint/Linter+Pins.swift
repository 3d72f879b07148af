import HoldfastBase
import HoldfastTrust

extension Linter {
    mutating func checkPins() {
        for rule in rules where !rule.domain.isExcluded {
            checkCount(rule)
            checkKinds(rule)
            checkExpiry(rule)
            checkDuplicates(rule.domain.pins)
            checkPlaceholders(rule.domain.pins)
        }
        let used = Set(document.domains.compactMap(\.pinSetName))
        for set in document.pinSets {
            checkDuplicates(set.pins)
            checkPlaceholders(set.pins)
            if !used.contains(set.name) {
                findings.warning(at: set, .unusedPinSet, "no rule uses the pin set \"\(Printable.text(set.name))\"")
            }
        }
        let keys = pinning.reduce(into: Set<SHA256Hash>()) { $0.formUnion($1.keys) }
        if keys.count == 1, let rule = pinning.first {
            findings.warning(
                at: rule.domain, .singlePin,
                "the whole policy pins only one key: if it is lost, every client is locked out")
        }
        let denied = Set(document.denied.compactMap(\.pin).map(\.sha256))
        for rule in pinning {
            for pin in rule.listed where pin.pin.map({ denied.contains($0.sha256) }) == true {
                findings.error(at: pin, .deniedPin, "the key is pinned and denied; the denial takes precedence")
            }
        }
    }

    private mutating func checkCount(_ rule: Rule) {
        switch rule.keys.count {
        case 0:
            if !rule.domain.requiredScopes.isEmpty || document.semantics.emptyPins == .refuse {
                findings.warning(
                    at: rule.domain, .noPins, "the rule for \(rule.pattern) has no pins: every connection is refused")
            }
        case 1:
            let message = "\(rule.pattern) has one pin and no backup: if the key is lost, every client is locked out"
            if case .required(let count) = document.semantics.backupPins, count > 1, rule.domain.enforcement == .enforce
            {
                findings.error(at: rule.domain, .missingBackupPin, message)
            } else {
                findings.warning(at: rule.domain, .missingBackupPin, message)
            }
        default: break
        }
    }

    private mutating func checkKinds(_ rule: Rule) {
        guard !rule.pins.isEmpty else { return }
        if rule.pins.allSatisfy({ $0.domain == .certificate }) {
            findings.warning(
                at: rule.domain, .certificatePinsOnly,
                "\(rule.pattern) pins only whole certificates, which each renewal breaks; from 2029, certificates last "
                    + "47 days. Also pin a key"
            )
        } else if rule.pins.allSatisfy({ $0.scope == .leaf }), rule.keys.count < 2 {
            findings.warning(
                at: rule.domain, .leafPinsOnly,
                "\(rule.pattern) pins only one server key: a new key locks out every client. Pin a backup key or a "
                    + "CA key"
            )
        }
        if rule.pins.contains(where: { $0.domain == .rawKey }) {
            findings.note(
                at: rule.domain, .rawKeyPin,
                "a pin of \(rule.pattern) is the hash of the bare key, which openssl and other libraries do not print")
        }
    }

    private mutating func checkExpiry(_ rule: Rule) {
        guard let expires = rule.domain.expires, !rule.pins.isEmpty else { return }
        if expires <= time {
            findings.warning(
                at: rule.domain, .expired,
                "the pins of \(rule.pattern) expired at \(expires): the host is no longer pinned")
        } else if expires <= time.advanced(bySeconds: notice) {
            findings.warning(at: rule.domain, .expiresSoon, "the pins of \(rule.pattern) expire at \(expires)")
        }
    }

    private mutating func checkDuplicates(_ pins: [PolicyPin]) {
        var seen: Set<Pin> = []
        for pin in pins {
            guard let value = pin.pin, !seen.insert(value).inserted else { continue }
            findings.warning(at: pin, .duplicatePin, "the pin is listed twice, which does not provide a backup")
        }
    }

    private mutating func checkPlaceholders(_ pins: [PolicyPin]) {
        for pin in pins {
            guard let value = pin.pin, let reason = PlaceholderPin.reason(for: value) else { continue }
            findings.warning(
                at: pin, .placeholderPin, "\(Printable.text(pin.text)) is \(reason), not the hash of a server's key")
        }
    }
}

/// Recognizes values that are not hashes of real keys: placeholders and examples from documentation.
///
/// A real SHA-256 hash looks like 32 random bytes. Each rule below applies to fewer than one in a billion random
/// values.
enum PlaceholderPin {
    /// Returns what the value is instead of a hash, or `nil` if it looks like a real hash.
    static func reason(for pin: Pin) -> String? {
        if let source = published[pin.base64] { return source }
        let bytes = pin.bytes
        let digits = Array(pin.base64.utf8.dropLast())
        if Set(digits).count <= 8 || Set(bytes).count <= 8 { return "a placeholder of few characters" }
        if isRegular(bytes) || isRegular(digits) { return "a placeholder that counts up or down" }
        let text = pin.base64.lowercased()
        if words.contains(where: { text.contains($0) }) { return "a placeholder with words" }
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return "text and not a hash" }
        return nil
    }

    /// Returns whether most bytes have the same distance to the byte before.
    private static func isRegular(_ bytes: [UInt8]) -> Bool {
        var counts: [UInt8: Int] = [:]
        for (first, second) in zip(bytes, bytes.dropFirst()) { counts[second &- first, default: 0] += 1 }
        return (counts.values.max() ?? 0) * 3 >= bytes.count * 2
    }

    private static let words = [
        "placeholder", "backuppin", "yourpin", "changeme", "replaceme", "examplepin", "publickey",
    ]

    /// Values that appear in publications.
    private static let published: [String: String] = [
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=": "the hash of the empty input",
        "AbpHGcgLb+kRsJGnwFEktk7uzpZOCcBY74+YBdrKVGs=": "the hash of an empty line",
        "d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=": "an example from RFC 7469",
        "E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g=": "an example from RFC 7469",
        "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=": "an example from RFC 7469",
        "7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=": "an example from Android's documentation",
        "fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=": "an example from Android's documentation",
    ]
}
