/// Domain names: the way from a decoded spelling to canonical labels.
enum DomainName {
    /// Bytes of a name without its trailing dot (RFC 1035, 2.3.4).
    static let lengthLimit = 253
    /// Bytes of a label (RFC 1035, 2.3.4).
    static let labelLimit = 63

    /// The canonical labels of a name. One trailing dot is dropped, every other empty label refused.
    static func labels(of name: String) throws(HostFlaw) -> [String] {
        var parts = name.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: isFullStop)
        // "." alone has two empty labels and keeps one: it names the root and no host.
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
        // Mapping may end in ASCII: the Kelvin sign is a k. What it ends in is then like any other ASCII label.
        if label.unicodeScalars.count == mapped.count {
            if label.hasPrefix(InternationalLabel.prefix) { try InternationalLabel.check(aLabel: label) }
        } else {
            label = try InternationalLabel.aLabel(for: mapped)
        }
        guard label.utf8.count <= labelLimit else {
            throw HostFlaw(
                .labelTooLong, "has a label of \(label.utf8.count) bytes, and \(labelLimit) are allowed")
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
                "has the character \(HostFlaw.quoted(String(scalar))), which no host name may have")
        }
    }
}
