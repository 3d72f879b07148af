import HoldfastFormats
import HoldfastTrust

extension PolicyFormats {
    /// Reads a text.
    static func read(
        _ text: String, as format: PolicyFormat?, options: PolicyReadOptions = .init()
    ) -> PolicyDocument {
        read(Array(text.utf8), as: format, named: "test", options: options)
    }
}

extension PolicyDocument {
    /// Returns the codes of the reader's findings with this severity.
    func codes(_ severity: PolicyDiagnostic.Severity) -> [String] {
        diagnostics.filter { $0.severity == severity }.map(\.code.rawValue)
    }
}

extension [PolicyDiagnostic] {
    var codes: Set<String> { Set(map(\.code.rawValue)) }
}

extension PolicyDocument {
    /// Returns the sentence that `explain` gives for a host.
    func conclusion(_ host: String, at time: String = "2026-03-01") throws -> String {
        try policy().explain(CanonicalHost(host), at: Timestamp(iso8601: time) ?? Timestamp(secondsSince1970: 0))
            .conclusion
    }
}
