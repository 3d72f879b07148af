/// The plural categories of CLDR. A language uses some of them; every language has ``other``.
public enum ChatPluralCategory: String, Hashable, Sendable, CaseIterable {
    /// Numbers like 0, as in Arabic.
    case zero
    /// Numbers like 1.
    case one
    /// Numbers like 2, as in Arabic and Hebrew.
    case two
    /// Small numbers, as in Russian and Polish.
    case few
    /// Large numbers, as in Russian and Arabic.
    case many
    /// All other numbers.
    case other
}

extension ChatPluralCategory {
    /// Returns the category of a whole number in a language, by the rules of CLDR for cardinal numbers.
    ///
    /// A language without a rule here uses ``one`` for 1 and ``other`` for all other numbers. The sign is ignored.
    ///
    /// - Parameters:
    ///   - count: The number.
    ///   - language: A BCP 47 tag, such as `ru` or `pt-BR`.
    public init(_ count: Int, language: String) {
        let tag = ChatLanguage(language)
        self = Self.category(count.magnitude, tag.code, isEuropeanPortuguese: tag.code == "pt" && tag.region == "PT")
    }

    private static func category(_ n: UInt, _ code: String, isEuropeanPortuguese: Bool) -> ChatPluralCategory {
        let (ones, tens) = (n % 10, n % 100)
        // Numbers whose last two digits are 11 to 14 have their own form in the Slavic languages.
        let isTeen = (11...14).contains(tens)
        switch code {
        case "id", "ja", "km", "ko", "lo", "ms", "my", "th", "vi", "yue", "zh":
            return .other
        case "be", "ru", "uk":
            if ones == 1, tens != 11 { return .one }
            return (2...4).contains(ones) && !isTeen ? .few : .many
        case "bs", "hr", "sh", "sr":
            if ones == 1, tens != 11 { return .one }
            return (2...4).contains(ones) && !isTeen ? .few : .other
        case "pl":
            if n == 1 { return .one }
            return (2...4).contains(ones) && !isTeen ? .few : .many
        case "cs", "sk":
            return n == 1 ? .one : (2...4).contains(n) ? .few : .other
        case "sl":
            return tens == 1 ? .one : tens == 2 ? .two : (3...4).contains(tens) ? .few : .other
        case "lt":
            if (11...19).contains(tens) { return .other }
            return ones == 1 ? .one : ones >= 2 ? .few : .other
        case "lv":
            if ones == 0 || (11...19).contains(tens) { return .zero }
            return ones == 1 ? .one : .other
        case "ro":
            if n == 1 { return .one }
            return n == 0 || (1...19).contains(tens) ? .few : .other
        case "is", "mk":
            return ones == 1 && tens != 11 ? .one : .other
        case "ar":
            if n <= 2 { return [.zero, .one, .two][Int(n)] }
            return (3...10).contains(tens) ? .few : tens >= 11 ? .many : .other
        case "he":
            return n == 1 ? .one : n == 2 ? .two : .other
        case "cy":
            return [0: .zero, 1: .one, 2: .two, 3: .few, 6: .many][n] ?? .other
        case "fr":
            return n <= 1 ? .one : isMillions(n) ? .many : .other
        case "pt":
            if n == 1 || (n == 0 && !isEuropeanPortuguese) { return .one }
            return isMillions(n) ? .many : .other
        case "ca", "es", "it":
            return n == 1 ? .one : isMillions(n) ? .many : .other
        case "am", "as", "bn", "fa", "gu", "hi", "hy", "kn", "pa", "si", "zu":
            return n <= 1 ? .one : .other
        default:
            return n == 1 ? .one : .other
        }
    }

    /// Returns whether a number is a multiple of one million other than 0.
    private static func isMillions(_ n: UInt) -> Bool { n != 0 && n % 1_000_000 == 0 }
}
