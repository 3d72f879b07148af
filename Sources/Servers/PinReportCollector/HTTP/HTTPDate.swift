import HoldfastTrust

/// The date of a response (RFC 9110, 5.6.7 and 6.6.1).
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// As in `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` for times outside of the years 1970 to 9999.
    static func text(of time: Timestamp) -> String? {
        let digits = time.description.split { !$0.isASCII || !$0.isNumber }
        guard time.secondsSince1970 >= 0, digits.count == 6, let month = Int(digits[1]),
            months.indices.contains(month - 1)
        else { return nil }
        // The first of January 1970 was a Thursday.
        let day = days[Int(time.secondsSince1970 / 86_400 % 7)]
        return "\(day), \(digits[2]) \(months[month - 1]) \(digits[0]) \(digits[3]):\(digits[4]):\(digits[5]) GMT"
    }
}
