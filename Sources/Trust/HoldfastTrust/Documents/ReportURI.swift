/// Where reports may go.
package enum ReportURI {
    /// Whether a text has the form of an http or https URL with a host.
    package static func isUsable(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            return false
        }
        let rest = text.dropFirst(scheme.count)
        guard let first = rest.utf8.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "?") else { return false }
        return text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>\"{}|\\^`".utf8.contains($0) }
    }
}
