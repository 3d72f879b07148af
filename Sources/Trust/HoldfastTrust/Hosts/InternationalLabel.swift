import HoldfastBase

/// Converts non-ASCII labels according to IDNA, without tables that Foundation does not provide on Linux.
///
/// The mapping consists of lower case and NFC. Characters that Unicode's complete mapping (NFKC_Casefold, the basis of
/// UTS
/// #46) would change further are refused: full-width and other compatibility forms, ligatures, invisible characters.
/// Two texts that a browser reads as one host therefore never become two hosts here. The letters ß and ς are kept, as
/// in all browsers.
enum InternationalLabel {
    /// The prefix of an A-label (RFC 5890, 2.3.2.1).
    static let prefix = "xn--"

    /// The maximum number of characters before composition. A label of 63 bytes cannot result from more.
    ///
    /// - Error: `HostError.Code.labelTooLong`
    private static let scalarLimit = 4 * DomainName.labelLimit

    /// Converts a label to lower case and NFC and checks each non-ASCII character.
    static func mapped(_ part: some Collection<Unicode.Scalar>) throws(HostFlaw) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        for scalar in part {
            // Lower-cases only characters that case folding changes. Case folding keeps the capital letters of Cherokee
            // and maps the small ones.
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

    /// Returns the A-label of a mapped label with at least one non-ASCII character.
    static func aLabel(for mapped: [Unicode.Scalar]) throws(HostFlaw) -> String {
        guard !mapped.starts(with: prefix.unicodeScalars) else {
            throw HostFlaw(.invalidPunycode, "has a label that starts with xn-- but is not ASCII")
        }
        guard let encoded = Punycode.encode(mapped) else {
            throw HostFlaw(.labelTooLong, "has a label that is too long for Punycode")
        }
        return prefix + encoded
    }

    /// Refuses a lower-case A-label that differs from the encoding of its decoded text. Such a label is displayed as
    /// one host but is another host in the DNS.
    static func check(aLabel: String) throws(HostFlaw) {
        // Longer labels are refused for their length. Decoding them would take quadratic time.
        guard aLabel.utf8.count <= DomainName.labelLimit else { return }
        let encoded = Array(aLabel.utf8.dropFirst(prefix.utf8.count))
        guard let decoded = Punycode.decode(encoded), decoded.contains(where: { !$0.isASCII }) else {
            throw HostFlaw(.invalidPunycode, "has a label that starts with xn-- but is not valid Punycode")
        }
        guard try mapped(decoded) == decoded, try Self.aLabel(for: decoded) == aLabel else {
            throw HostFlaw(.invalidPunycode, "has an A-label that is not the encoding of its text")
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
                let code = scalar.value.padded(to: 4, radix: 16).uppercased()
                throw HostFlaw(.disallowedCodePoint, "has U+\(code), which is not allowed in host names")
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is a combining mark, which must not start a label (UTS #46, 4.1).
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}

/// The non-ASCII characters that are not allowed in labels, after mapping.
enum RefusedCodePoints {
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch scalar {
        case "ß", "ς":
            // NFKC_Casefold changes these two, but IDNA 2008 and the current UTS #46 keep them.
            return false
        case "\u{375}", "\u{b7}", "\u{5f3}", "\u{5f4}", "\u{30fb}", "\u{f0b}", "\u{1f3fb}"..."\u{1f3ff}":
            // Punctuation used in Greek, Catalan, Hebrew, Japanese and Tibetan names (RFC 5892, 2.6), and emoji skin
            // tones.
            return false
        case "\u{1100}"..."\u{11ff}", "\u{a960}"..."\u{a97f}", "\u{d7b0}"..."\u{d7ff}":
            // Jamo that were not composed to a syllable (RFC 5892, 2.9).
            return true
        case "\u{fffc}", "\u{fffd}", "\u{2ff0}"..."\u{2fff}":
            // Replacement characters and ideographic descriptions.
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
            // Includes all characters that look like a slash, a dot, a space or nothing.
            return true
        }
    }

    /// Returns whether a zero-width joiner or non-joiner is allowed at an index: after a virama (RFC 5892, A.1 and
    /// A.2), or, for the non-joiner, between two Arabic letters.
    ///
    /// The RFC requires letters that join, which the standard library cannot determine. The additional labels that are
    /// accepted are different A-labels, not other spellings of the same label.
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
