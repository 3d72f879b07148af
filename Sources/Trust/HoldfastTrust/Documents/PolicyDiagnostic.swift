/// What a reader, a converter or lint has to say about a policy file, and where.
public struct PolicyDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The file cannot be honoured.
        case error
        /// It can, and it is probably a mistake, or something is lost.
        case warning
        /// Worth knowing.
        case note
    }

    /// How bad it is.
    public var severity: Severity
    /// A stable name for the kind of problem, as in `missing-backup-pin`.
    public var code: String
    /// One sentence.
    public var message: String
    /// The path of the element in the file, as in `domains[2].pins[0]`.
    public var path: String
    /// Where the element stands; `nil` where the format has no lines.
    public var position: SourcePosition?

    /// Makes a diagnostic.
    public init(
        _ severity: Severity, _ code: String, _ message: String, path: String, position: SourcePosition? = nil
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.path = path
        self.position = position
    }

    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        return
            "\(place)\(severity.rawValue): \(message) [\(code)] at \(path.isEmpty ? "the top" : Printable.text(path))"
    }
}
