/// How long a server asks to wait: `Retry-After` (RFC 9110, 10.2.3), a number of seconds or a date in the preferred form. The
/// caller limits it: what a server asks for may be a mistake or an attack.
package struct RetryAfter: Hashable, Sendable {
    private enum Form: Hashable, Sendable {
        case seconds(Int64)
        case date(HTTPDate)
    }

    private let form: Form

    /// Reads the field; `nil` for one that is missing or in another form. A number that no wait has counts as the longest wait.
    package init?(_ text: String?) {
        guard let text = text?.drop(while: Self.isSpace) else { return nil }
        let value = text[..<(text.lastIndex { !Self.isSpace($0) }.map(text.index(after:)) ?? text.startIndex)]
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            form = .seconds(Int64(value) ?? .max)
        } else if let date = HTTPDate(value) {
            form = .date(date)
        } else {
            return nil
        }
    }

    /// The wait in seconds, from a time in seconds since 1970 on: zero for a date that is past.
    package func seconds(from now: Int64) -> Int64 {
        switch form {
        case .seconds(let seconds): return seconds
        case .date(let date):
            let (difference, overflow) = date.seconds.subtractingReportingOverflow(now)
            return overflow ? .max : max(0, difference)
        }
    }

    /// The wait in milliseconds, from a time in milliseconds since 1970 on.
    package func milliseconds(from now: Int64) -> Int64 {
        let (start, part) = now.flooredQuotientAndRemainder(dividingBy: 1_000)
        let (milliseconds, overflow) = seconds(from: start).multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return .max }
        // A number is counted from now on, a date is reached earlier by the part of a second that has passed.
        if case .date = form { return max(0, milliseconds - part) }
        return milliseconds
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
}
