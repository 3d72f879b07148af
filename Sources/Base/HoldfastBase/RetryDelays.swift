/// The wait that a server requests with `Retry-After` (RFC 9110, 10.2.3): seconds, or a date in the preferred format.
///
/// The caller must limit the wait, because the server's value may be a mistake or an attack.
package struct RetryAfter: Hashable, Sendable {
    private enum Form: Hashable, Sendable {
        case seconds(Int64)
        case date(HTTPDate)
    }

    private let form: Form

    /// Reads the field. Returns `nil` if it is missing or has another format. A number that is too large becomes the
    /// longest possible wait.
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

    /// Returns the wait in seconds from a time in seconds since 1970. A date in the past gives zero.
    package func seconds(from now: Int64) -> Int64 {
        switch form {
        case .seconds(let seconds): return seconds
        case .date(let date):
            let (difference, overflow) = date.seconds.subtractingReportingOverflow(now)
            return overflow ? .max : max(0, difference)
        }
    }

    /// Returns the wait in milliseconds from a time in milliseconds since 1970.
    package func milliseconds(from now: Int64) -> Int64 {
        let (start, part) = now.flooredQuotientAndRemainder(dividingBy: 1_000)
        let (milliseconds, overflow) = seconds(from: start).multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return .max }
        // A number of seconds counts from now. For a date, the elapsed part of the current second is subtracted.
        if case .date = form { return max(0, milliseconds - part) }
        return milliseconds
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
}

/// Exponential waiting times with full jitter, so that many clients that failed together do not retry together.
///
/// The caller chooses the unit and passes in the random numbers.
package struct ExponentialBackoff: Hashable, Sendable {
    /// The longest wait before the first step.
    private let base: Int64
    /// The factor by which the longest wait grows with each step.
    private let multiplier: Int64
    /// The upper limit of all waits.
    private let ceiling: Int64

    /// Creates a backoff. Each number is at least 1.
    package init(base: Int64, multiplier: Int64 = 2, ceiling: Int64) {
        self.base = max(1, base)
        self.multiplier = max(1, multiplier)
        self.ceiling = max(1, ceiling)
    }

    /// Returns the longest wait after a number of steps: `base` × `multiplier` ^ `steps`, at most the ceiling.
    package func longest(after steps: Int) -> Int64 {
        var longest = min(base, ceiling)
        var steps = multiplier > 1 ? steps : 0
        while steps > 0, longest < ceiling {
            let (product, overflow) = longest.multipliedReportingOverflow(by: multiplier)
            longest = overflow ? ceiling : min(product, ceiling)
            steps -= 1
        }
        return longest
    }

    /// Returns a wait between zero and the longest wait after a number of steps. `entropy` is a fresh random number.
    package func wait(after steps: Int, entropy: UInt64) -> Int64 {
        Int64(entropy % (UInt64(longest(after: steps)) + 1))
    }
}
