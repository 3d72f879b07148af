import HoldfastTrust

/// Writes the `Public-Key-Pins` header.
enum HPKPWriter {
    /// What RFC 7469 (4.1) proposes as an upper limit: sixty days.
    static let defaultAge: Int64 = 60 * 86_400

    static func text(of domain: AdaptedDomain, at time: Timestamp?) -> String {
        let isReportOnly = domain.enforcement == .reportOnly && !domain.isExcluded
        let name = isReportOnly ? "Public-Key-Pins-Report-Only" : "Public-Key-Pins"
        var age = defaultAge
        if let expires = domain.expires, let time {
            let (difference, overflow) = expires.secondsSince1970.subtractingReportingOverflow(time.secondsSince1970)
            age = overflow ? defaultAge : max(0, difference)
        }
        if domain.isExcluded { age = 0 }
        var parts = domain.pins.map { "pin-sha256=\"\($0.digest.base64)\"" } + (isReportOnly ? [] : ["max-age=\(age)"])
        if domain.pattern.depth == .apexAndAnyDepth { parts.append("includeSubDomains") }
        parts += domain.reportURIs.prefix(1).map { "report-uri=\"\($0)\"" }
        return "\(name): \(parts.joined(separator: "; "))\n"
    }
}
