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
