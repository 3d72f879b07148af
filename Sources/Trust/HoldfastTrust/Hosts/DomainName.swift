/// Converts a decoded domain name to canonical labels.
enum DomainName {
    /// The maximum size of a name in bytes, without the trailing dot (RFC 1035, 2.3.4).
    ///
    /// - Error: `HostError.Code.tooLong`
    static let lengthLimit = 253
    /// The maximum size of a label in bytes (RFC 1035, 2.3.4).
    ///
    /// - Error: `HostError.Code.labelTooLong`
    static let labelLimit = 63

    /// Returns the canonical labels of a name. Removes one trailing dot and refuses all other empty labels.
    static func labels(of name: String) throws(HostFlaw) -> [String] {
        var parts = name.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: isFullStop)
        // "." has two empty labels and keeps one of them: it names the root, which is not a host.
        if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
        var labels: [String] = []
        for part in parts {
            guard !part.isEmpty else {
                throw HostFlaw(.emptyLabel, labels.isEmpty ? "starts with a dot" : "has two dots in a row")
            }
            labels.append(try canonicalLabel(part))
        }
        return labels
    }

    private static func isFullStop(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "\u{3002}", "\u{ff0e}", "\u{ff61}": true
        default: false
        }
    }

    private static func canonicalLabel(_ part: String.UnicodeScalarView.SubSequence) throws(HostFlaw) -> String {
        let mapped = part.allSatisfy(\.isASCII) ? Array(part) : try InternationalLabel.mapped(part)
        var label = ""
        for scalar in mapped where scalar.isASCII {
            label.unicodeScalars.append(try lowercased(scalar))
        }
        // Mapping may produce ASCII: the Kelvin sign becomes k. The result is processed like any other ASCII label.
        if label.unicodeScalars.count == mapped.count {
            if label.hasPrefix(InternationalLabel.prefix) { try InternationalLabel.check(aLabel: label) }
        } else {
            label = try InternationalLabel.aLabel(for: mapped)
        }
        guard label.utf8.count <= labelLimit else {
            throw HostFlaw(
                .labelTooLong, "has a label of \(label.utf8.count) bytes; the limit is \(labelLimit)")
        }
        return label
    }

    private static func lowercased(_ scalar: Unicode.Scalar) throws(HostFlaw) -> Unicode.Scalar {
        switch scalar {
        case "a"..."z", "0"..."9", "-", "_":
            return scalar
        case "A"..."Z":
            return Unicode.Scalar(UInt8(ascii: scalar) | 0x20)
        default:
            throw HostFlaw(
                .forbiddenCharacter,
                "has the character \(HostFlaw.quoted(String(scalar))), which is not allowed in host names")
        }
    }
}
