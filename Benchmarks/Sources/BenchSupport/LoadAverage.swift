import Foundation

/// The load of the machine.
package enum LoadAverage {
    /// Returns the load average of the last minute, as text; `nil` if it is not available.
    package static func lastMinute() -> String? {
        guard let text = try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8) else { return nil }
        return text.split(separator: " ").first.map(String.init)
    }
}
