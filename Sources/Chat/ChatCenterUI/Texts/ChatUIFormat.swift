import Foundation

/// Writes times, days, sizes and durations in the user's language and time zone.
struct ChatUIFormat: Sendable {
    /// The times that can be shown: the years 1 to 9999. Other times are replaced by the nearest one.
    private static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_000
    private static let millisecondsPerDay: Int64 = 86_400_000

    private let timeZone: TimeZone
    private let timeStyle: Date.FormatStyle
    private let dayStyle: Date.FormatStyle
    private let sizeStyle: ByteCountFormatStyle
    private let numberStyle: IntegerFormatStyle<Int>

    init(locale: Locale, timeZone: TimeZone) {
        self.timeZone = timeZone
        timeStyle = Date.FormatStyle(date: .omitted, time: .shortened, locale: locale, timeZone: timeZone)
        dayStyle = Date.FormatStyle(date: .long, time: .omitted, locale: locale, timeZone: timeZone)
        sizeStyle = ByteCountFormatStyle(style: .file, locale: locale)
        numberStyle = IntegerFormatStyle<Int>(locale: locale)
    }

    private static func date(_ milliseconds: Int64) -> Date {
        let clamped = min(max(milliseconds, times.lowerBound), times.upperBound)
        return Date(timeIntervalSince1970: Double(clamped) / 1000)
    }

    /// Returns the time of day, such as 14:05.
    func time(_ milliseconds: Int64) -> String { Self.date(milliseconds).formatted(timeStyle) }

    /// Returns the number of the day in the user's time zone, counted from 1970-01-01.
    func day(_ milliseconds: Int64) -> Int64 {
        let clamped = min(max(milliseconds, Self.times.lowerBound), Self.times.upperBound)
        let local = clamped + Int64(timeZone.secondsFromGMT(for: Self.date(clamped))) * 1000
        let day = local / Self.millisecondsPerDay
        return local < 0 && local % Self.millisecondsPerDay != 0 ? day - 1 : day
    }

    /// Returns the date of a message, such as November 14, 2023.
    func date(_ milliseconds: Int64) -> String { Self.date(milliseconds).formatted(dayStyle) }

    /// Returns a number of bytes, such as 12.3 MB.
    func size(_ bytes: Int64) -> String { max(0, bytes).formatted(sizeStyle) }

    /// Returns a number in the digits of the user's language.
    func number(_ value: Int) -> String { value.formatted(numberStyle) }

    /// Returns a duration in minutes and seconds, such as 1:05.
    func duration(_ milliseconds: Int64) -> String {
        let seconds = min(max(0, milliseconds) / 1000, 359_999)
        let rest = seconds % 60
        return "\(seconds / 60):" + (rest < 10 ? "0" : "") + "\(rest)"
    }
}
