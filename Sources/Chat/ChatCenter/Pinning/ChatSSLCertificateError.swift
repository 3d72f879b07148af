public import HoldfastTrust

/// A certificate that could not be taken from a bundle.
public struct ChatSSLCertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The bundle holds no such file.
        public static let missingResource = Code(rawValue: "missingResource")
        /// The file is no certificate; ``ChatSSLCertificateError/underlying`` says why.
        public static let unreadable = Code(rawValue: "unreadable")
    }

    /// The kind of failure.
    public var code: Code
    /// The name that was asked for.
    public var resource: String
    /// The extension that was asked for.
    public var fileExtension: String?
    /// The name and extension to ask for instead, where the name that was asked for holds its extension.
    public var suggestion: Split?
    /// Why the file could not be read.
    public var underlying: CertificateError?
    /// One sentence for a person, with the remedy.
    public var reason: String

    /// A file's name, split as `Bundle` wants it.
    public struct Split: Hashable, Sendable {
        /// The name without the extension.
        public var resource: String
        /// The extension without its dot.
        public var fileExtension: String

        /// Splits a name.
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
        var reason = "The bundle \(bundle) holds no file “\(file)”."
        if let split = Self.split(resource, withExtension: fileExtension) {
            self.suggestion = split
            reason +=
                " The name holds its extension: use resource: \"\(split.resource)\", "
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

    /// `main.cer` asked for without an extension, or with the same extension once more.
    private static func split(_ resource: String, withExtension fileExtension: String?) -> Split? {
        guard let dot = resource.lastIndex(of: "."), dot != resource.startIndex else { return nil }
        let tail = String(resource[resource.index(after: dot)...])
        guard !tail.isEmpty, fileExtension == nil || fileExtension == "" || fileExtension == tail else { return nil }
        return Split(resource: String(resource[..<dot]), fileExtension: tail)
    }

    public var description: String { reason }
}
