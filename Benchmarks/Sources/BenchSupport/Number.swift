import Foundation

/// Formats numbers for the reports.
package enum Number {
    /// Returns a number with `digits` decimals. Without decimals, numbers from 1,000 on have commas.
    package static func text(_ value: Double, _ digits: Int = 0) -> String {
        digits == 0 && value >= 1000
            ? Int(value).formatted(.number.locale(Locale(identifier: "en_US")))
            : String(format: "%.\(digits)f", value)
    }
}
