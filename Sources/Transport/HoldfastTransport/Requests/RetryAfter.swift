package import HoldfastTrust

/// Reads `Retry-After` (RFC 9110, 10.2.3).
package enum RetryAfter {
    /// The wait in seconds: a number of them, or the time until a date in the preferred form (a past one: zero). `nil` for a
    /// field that is missing or in another form.
    package static func seconds(_ text: String?, now: Timestamp) -> Double? {
        guard let text = text?.trimming(), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // Longer than any limit: still a wait that is asked for, and too long.
            return text.utf8.count <= 15 ? Double(text) : .infinity
        }
        guard let date = date(text) else { return nil }
        let (difference, overflow) = date.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
        return overflow ? .infinity : Double(max(0, difference))
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: Substring) -> Timestamp? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", words[1].utf8.count == 2,
            words[3].utf8.count == 4, let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let number = month + 1
        return Timestamp(
            iso8601: "\(words[3])-\(number < 10 ? "0" : "")\(number)-\(words[1])T\(words[4])Z")
    }
}

extension String {
    fileprivate func trimming() -> Substring {
        var text = self[...]
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
