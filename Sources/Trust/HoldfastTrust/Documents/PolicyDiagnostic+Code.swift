extension PolicyDiagnostic {
    /// The stable code of a kind of problem. New codes may be added, so compare with the constants and handle unknown
    /// codes.
    ///
    /// These are the codes of Holdfast's own format. `HoldfastFormats` adds the codes of the other formats, of lint and
    /// of conversions; `FindingKind.all` describes all of them.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// The file has more findings than are listed.
        public static let tooManyFindings = Code(rawValue: "too-many-findings")
        /// The text is not valid JSON, or a key occurs twice.
        public static let invalidJSON = Code(rawValue: "invalid-json")
        /// A value has the wrong type.
        public static let wrongType = Code(rawValue: "wrong-type")
        /// A key is unknown: an error in Holdfast's own format; ignored in other formats, as their libraries do.
        public static let unknownKey = Code(rawValue: "unknown-key")
        /// A value is not one of those that the key allows.
        public static let unknownValue = Code(rawValue: "unknown-value")
        /// The file has an unsupported version of the format.
        public static let unknownVersion = Code(rawValue: "unknown-version")
        /// The version of Holdfast's format is missing.
        public static let missingVersion = Code(rawValue: "missing-version")
        /// The text is not a valid host.
        public static let invalidHost = Code(rawValue: "invalid-host")
        /// The host is missing.
        public static let missingHost = Code(rawValue: "missing-host")
        /// Subdomains of an IP address are included.
        public static let subdomainsOfAddress = Code(rawValue: "subdomains-of-address")
        /// The depth of a host pattern is given twice.
        public static let twoDepths = Code(rawValue: "two-depths")
        /// The text is not a SHA-256 hash in base64.
        public static let invalidPin = Code(rawValue: "invalid-pin")
        /// A pin does not have a hash.
        public static let missingHash = Code(rawValue: "missing-hash")
        /// The text is not a valid date, or lacks the required time zone. TrustKit treats such a date as "never".
        public static let invalidDate = Code(rawValue: "invalid-date")
        /// A report URI is not an http or https URL.
        public static let invalidReportURI = Code(rawValue: "invalid-report-uri")
        /// A host is excluded and has pins.
        public static let excludedWithPins = Code(rawValue: "excluded-with-pins")
        /// The trust anchors have no certificates.
        public static let missingCertificates = Code(rawValue: "missing-certificates")
        /// A certificate cannot be read.
        public static let invalidCertificate = Code(rawValue: "invalid-certificate")
    }
}
