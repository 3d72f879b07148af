public import HoldfastTrust

/// A certificate that could not be loaded from a bundle.
///
/// - Remedy: Follow the reason: it names the missing file or the correct split of its name.
public struct ChatSSLCertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and safe as a metric label. More kinds may be added: compare with the constants,
    /// and handle unknown values.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The bundle does not contain the file.
        public static let missingResource = Code(rawValue: "missingResource")
        /// The file is not a certificate; ``ChatSSLCertificateError/underlying`` states the reason.
        public static let unreadable = Code(rawValue: "unreadable")
    }

    /// The kind of failure.
    public var code: Code
    /// The requested name.
    public var resource: String
    /// The requested extension.
    public var fileExtension: String?
    /// The name and extension to use instead, if the requested name includes its extension.
    public var suggestion: Split?
    /// The reason why the file could not be read.
    public var underlying: CertificateError?
    /// The reason and the remedy as one sentence that can be shown to a person.
    public var reason: String

    /// A file name, split as `Bundle` expects it.
    public struct Split: Hashable, Sendable {
        /// The name without the extension.
        public var resource: String
        /// The extension without its dot.
        public var fileExtension: String

        /// Creates a split name.
        public init(resource: String, fileExtension: String) {
            self.resource = resource
            self.fileExtension = fileExtension
        }
    }

    init(missing resource: String, withExtension fileExtension: String?, in bundle: String) {
        self.code = .missingResource
        self.resource = resource
        self.fileExtension = fileExtension
        let file = fileExtension.map { "\(resource).\($0)" } ?? resource
        var reason = "The bundle \(bundle) does not contain the file “\(file)”."
        if let split = Self.split(resource, withExtension: fileExtension) {
            self.suggestion = split
            reason +=
                " The name includes its extension. Use resource: \"\(split.resource)\", "
                + "withExtension: \"\(split.fileExtension)\"."
        } else {
            reason += " Add it to Copy Bundle Resources (or to the target's resources)."
        }
        self.reason = reason
    }

    init(unreadable error: CertificateError, resource: String, withExtension fileExtension: String?) {
        self.code = .unreadable
        self.resource = resource
        self.fileExtension = fileExtension
        self.underlying = error
        let file = fileExtension.map { "\(resource).\($0)" } ?? resource
        self.reason = "“\(file)”: \(error.reason)"
    }

    /// Splits a name such as `main.cer` that was requested without an extension, or with the same extension again.
    private static func split(_ resource: String, withExtension fileExtension: String?) -> Split? {
        guard let dot = resource.lastIndex(of: "."), dot != resource.startIndex else { return nil }
        let tail = String(resource[resource.index(after: dot)...])
        guard !tail.isEmpty, fileExtension == nil || fileExtension == "" || fileExtension == tail else { return nil }
        return Split(resource: String(resource[..<dot]), fileExtension: tail)
    }

    /// A textual description, for logs.
    public var description: String { reason }
}
