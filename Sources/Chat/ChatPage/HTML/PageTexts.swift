import HoldfastBase

/// The page's texts in its language.
struct PageTexts {
    private let appearance: PageAppearance

    init(_ appearance: PageAppearance) {
        self.appearance = appearance
    }

    /// Returns the text of a key. Returns the last word of the key if the table lacks it.
    func callAsFunction(_ key: String) -> String {
        if let text = appearance.texts[key] { return text }
        return String(key.split(separator: ".").last ?? "").split(separator: "_").joined(separator: " ")
    }

    /// Returns the text of a key with plural forms, with its number.
    func callAsFunction(_ key: String, count: Int) -> String {
        let form = Self.form(of: count, language: appearance.language)
        let text = appearance.texts[key + "#" + form] ?? appearance.texts[key + "#other"] ?? self(key)
        return text.split(separator: "{count}", omittingEmptySubsequences: false).joined(separator: String(count))
    }

    /// Returns the plural category of a number by the rules of Unicode's CLDR.
    static func form(of count: Int, language: String) -> String {
        let number = count == Int.min ? Int.max : abs(count)
        let (tens, hundreds) = (number % 10, number % 100)
        switch language.prefix(while: { $0 != "-" && $0 != "_" }).lowercased() {
        case "ru", "uk", "be":
            return tens == 1 && hundreds != 11
                ? "one" : (2...4).contains(tens) && !(12...14).contains(hundreds) ? "few" : "many"
        case "pl":
            return number == 1
                ? "one" : (2...4).contains(tens) && !(12...14).contains(hundreds) ? "few" : "many"
        case "ar":
            switch number {
            case 0: return "zero"
            case 1: return "one"
            case 2: return "two"
            default: return (3...10).contains(hundreds) ? "few" : hundreds >= 11 ? "many" : "other"
            }
        case "fr": return number < 2 ? "one" : "other"
        case "zh", "ja", "ko", "vi", "th", "id": return "other"
        default: return number == 1 ? "one" : "other"
        }
    }
}

/// Times of day and days in the visitor's time zone, as far as the server knows it.
struct PageClock {
    /// The current time in milliseconds since 1970.
    let now: Int64
    /// The offset of the time zone.
    let secondsFromGMT: Int

    /// Returns the number of a time's day since 1970-01-01.
    func day(_ milliseconds: Int64) -> Int64 { split(milliseconds).quotient }

    /// Returns a time of day: `14:05`.
    func time(_ milliseconds: Int64) -> String {
        let minutes = split(milliseconds).remainder / 60_000
        return (minutes / 60).padded(to: 2) + ":" + (minutes % 60).padded(to: 2)
    }

    /// Returns a day: the word for today or yesterday, or a date such as `2026-08-02`.
    func name(ofDay day: Int64, _ texts: PageTexts) -> String {
        let today = self.day(now)
        if day == today { return texts("date.today") }
        if day == today - 1 { return texts("date.yesterday") }
        let date = CivilDate(daysSince1970: day)
        return "\(date.year.padded(to: 4))-\(date.month.padded(to: 2))-\(date.day.padded(to: 2))"
    }

    private func split(_ milliseconds: Int64) -> (quotient: Int64, remainder: Int64) {
        let offset = Int64(min(max(secondsFromGMT, -86_400), 86_400)) * 1000
        let (local, overflows) = milliseconds.addingReportingOverflow(offset)
        return (overflows ? milliseconds : local).flooredQuotientAndRemainder(dividingBy: 86_400_000)
    }
}

extension Int64 {
    /// The number of bytes in a unit for people: `2.5 MB`. The page's script writes the same.
    var byteCount: String {
        let value = Swift.min(Swift.max(0, self), 1 << 56)
        guard value >= 1 << 10 else { return "\(value) B" }
        let (shift, unit): (Int64, String) = value < 1 << 20 ? (10, "KB") : value < 1 << 30 ? (20, "MB") : (30, "GB")
        guard value >> shift < 10 else { return "\(value >> shift) \(unit)" }
        let tenths = (value * 10 + (1 << (shift - 1))) >> shift
        return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
