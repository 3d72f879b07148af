/// Labels outside of ASCII: IDNA without the tables that neither Foundation has on Linux.
///
/// The mapping is lower case and NFC. Whatever Unicode's fuller mapping (NFKC_Casefold, which UTS #46 builds on) would
/// still change is refused instead of mapped: full-width and other compatibility forms, ligatures, invisible
/// characters. So no two spellings that a browser takes for one host can become two hosts here. The letters ß and ς are
/// kept, as all browsers keep them.
enum InternationalLabel {
    /// What an A-label starts with (RFC 5890, 2.3.2.1).
    static let prefix = "xn--"

    /// Characters that are looked at before they are composed: a label of 63 bytes cannot come from more.
    private static let scalarLimit = 4 * DomainName.labelLimit

    /// Puts a label into lower case and NFC and checks each character outside of ASCII.
    static func mapped(_ part: some Collection<Unicode.Scalar>) throws(HostFlaw) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        for scalar in part {
            // Only what case folding changes: it keeps the capital letters of Cherokee and maps the small ones.
            if scalar.properties.changesWhenNFKCCaseFolded {
                scalars += scalar.properties.lowercaseMapping.unicodeScalars
            } else {
                scalars.append(scalar)
            }
            guard scalars.count <= scalarLimit else {
                throw HostFlaw(.labelTooLong, "has a label of more than \(scalarLimit) characters")
            }
        }
        let composed = CanonicalComposition.compose(scalars)
        try check(composed)
        return composed
    }

    /// The A-label of a mapped label with at least one character outside of ASCII.
    static func aLabel(for mapped: [Unicode.Scalar]) throws(HostFlaw) -> String {
        guard !mapped.starts(with: prefix.unicodeScalars) else {
            throw HostFlaw(.invalidPunycode, "has a label that starts with xn-- and is not ASCII")
        }
        guard let encoded = Punycode.encode(mapped) else {
            throw HostFlaw(.labelTooLong, "has a label that is too long for Punycode")
        }
        return prefix + encoded
    }

    /// Refuses an A-label, in lower case, that is not what its own text would be encoded to: such a label looks like one
    /// host to whoever decodes it and is another one in the DNS.
    static func check(aLabel: String) throws(HostFlaw) {
        // Longer ones are refused for their length; decoding them would take quadratic time.
        guard aLabel.utf8.count <= DomainName.labelLimit else { return }
        let encoded = Array(aLabel.utf8.dropFirst(prefix.utf8.count))
        guard let decoded = Punycode.decode(encoded), decoded.contains(where: { !$0.isASCII }) else {
            throw HostFlaw(.invalidPunycode, "has a label that starts with xn-- and is no Punycode")
        }
        guard try mapped(decoded) == decoded, try Self.aLabel(for: decoded) == aLabel else {
            throw HostFlaw(.invalidPunycode, "has an A-label whose text has another A-label")
        }
    }

    private static func check(_ scalars: [Unicode.Scalar]) throws(HostFlaw) {
        for (index, scalar) in scalars.enumerated() where !scalar.isASCII {
            let isAllowed =
                switch scalar {
                case "\u{200c}", "\u{200d}": RefusedCodePoints.allowsJoiner(in: scalars, at: index)
                default: !RefusedCodePoints.contains(scalar)
                }
            guard isAllowed, index > 0 || !scalar.isMark else {
                let code = String(scalar.value, radix: 16, uppercase: true)
                let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
                throw HostFlaw(.disallowedCodePoint, "has U+\(padded) where no host name may have it")
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a combining mark, with which no label may start (UTS #46, 4.1).
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
