import Foundation

/// Figures as the reports print them.
package enum Number {
    /// With so many digits behind the point; without any and from a thousand on with commas.
    package static func text(_ value: Double, _ digits: Int = 0) -> String {
        digits == 0 && value >= 1000
            ? Int(value).formatted(.number.locale(Locale(identifier: "en_US")))
            : String(format: "%.\(digits)f", value)
    }
}
