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

/// The characters outside of ASCII that no label may have, after mapping.
enum RefusedCodePoints {
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch scalar {
        case "ß", "ς":
            // NFKC_Casefold changes these two; IDNA 2008 and today's UTS #46 keep them.
            return false
        case "\u{375}", "\u{b7}", "\u{5f3}", "\u{5f4}", "\u{30fb}", "\u{f0b}", "\u{1f3fb}"..."\u{1f3ff}":
            // Punctuation that names in Greek, Catalan, Hebrew, Japanese and Tibetan are written with (RFC 5892, 2.6),
            // and the skin colours of emoji.
            return false
        case "\u{1100}"..."\u{11ff}", "\u{a960}"..."\u{a97f}", "\u{d7b0}"..."\u{d7ff}":
            // Jamo that did not become a syllable (RFC 5892, 2.9).
            return true
        case "\u{fffc}", "\u{fffd}", "\u{2ff0}"..."\u{2fff}":
            // Stand-ins for what could not be shown, and descriptions of characters.
            return true
        default:
            break
        }
        guard !properties.changesWhenNFKCCaseFolded, isKnown(properties.age) else { return true }
        switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
            .decimalNumber, .letterNumber, .otherSymbol:
            return false
        default:
            // Among them everything that looks like a slash, a dot, a space or nothing at all.
            return true
        }
    }

    /// Whether a zero-width joiner or non-joiner may stand at a place: behind a virama (RFC 5892, A.1 and A.2), and the
    /// non-joiner between two Arabic letters. The RFC asks for letters that join there, which the standard library
    /// cannot tell; the few more that pass are other A-labels, not other spellings of one.
    static func allowsJoiner(in scalars: [Unicode.Scalar], at index: Int) -> Bool {
        guard index > 0 else { return false }
        let before = scalars[index - 1]
        if before.properties.canonicalCombiningClass == .virama { return true }
        return scalars[index] == "\u{200c}" && index + 1 < scalars.count && isArabicLetter(before)
            && isArabicLetter(scalars[index + 1])
    }

    private static func isArabicLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{620}"..."\u{64a}", "\u{66e}"..."\u{6ff}", "\u{750}"..."\u{77f}", "\u{8a0}"..."\u{8c9}":
            scalar.properties.generalCategory == .otherLetter
        default:
            false
        }
    }

    private static func isKnown(_ age: Unicode.Version?) -> Bool {
        guard let age else { return false }
        return age <= CanonicalComposition.unicodeVersion
    }
}
