import HoldfastBase
package import HoldfastSystem

/// The reason why certificate bytes could not be read.
///
/// - Remedy: Follow the reason: it names the expected form and, for PEM, the command that converts it.
public struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes are stable and safe as metric labels. New codes may be added, so compare with the
    /// constants and handle unknown codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// The input is empty.
        public static let empty = Code(rawValue: "empty")
        /// The input exceeds the maximum size of a certificate.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes are PEM, but DER is expected.
        public static let pemGiven = Code(rawValue: "pemGiven")
        /// The PEM text does not contain a certificate.
        public static let noCertificateInPEM = Code(rawValue: "noCertificateInPEM")
        /// The PEM text is malformed.
        public static let malformedPEM = Code(rawValue: "malformedPEM")
        /// The bytes are not valid DER.
        public static let malformedDER = Code(rawValue: "malformedDER")
        /// The DER is not an X.509 certificate.
        public static let notACertificate = Code(rawValue: "notACertificate")
        /// The input contains several certificates, but one is expected.
        public static let severalCertificates = Code(rawValue: "severalCertificates")
        /// The bytes are not a public key.
        public static let notAPublicKey = Code(rawValue: "notAPublicKey")
        /// The file could not be read.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence, with the remedy if there is one.
    public var reason: String
    /// The offset of the invalid byte, if known.
    public var offset: Int?

    /// Creates an error.
    public init(_ code: Code, _ reason: String, offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }

    /// The reason as text.
    public var description: String { reason }

    /// The remedy for a PEM file where DER is expected.
    package static let pemRemedy = pemRemedy(input: "cert.pem", output: "cert.cer")

    /// Creates the error for bytes that are not `expected`, which the fault shows.
    init(_ code: Code, _ fault: DERFault, expected: String) {
        self.init(
            code, "The bytes are not \(expected): at byte \(fault.offset), \(fault.reason.rawValue).",
            offset: fault.offset)
    }

    /// Creates an error from the failure to read a file of certificates or keys.
    init(_ failure: RegularFile.Failure, at path: String) {
        let code: Code =
            switch failure.kind {
            case .tooLarge: .tooLarge
            case .empty: .empty
            case .missing, .irregular, .unreadable: .unreadableFile
            }
        self.init(code, failure.reason(at: path))
    }

    /// Returns the error for a PEM file where DER is expected, with the command that converts this file.
    static func pemGiven(inFileAt path: String) -> CertificateError {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let stem = name.split(separator: ".").first.map(String.init) ?? name
        let output = name == stem + ".cer" ? stem + ".der.cer" : stem + ".cer"
        let remedy = pemRemedy(input: shellWord(path), output: shellWord(output))
        return CertificateError(.pemGiven, remedy, offset: 0)
    }

    /// Returns the error for a PEM text without a certificate. The reason names the blocks that were found instead.
    static func noCertificate(among blocks: [PEMBlock]) -> CertificateError {
        let labels = Set(blocks.map(\.label)).sorted().prefix(5).joined(separator: ", ")
        let found = labels.isEmpty ? "it has no PEM blocks" : "it contains \(labels)"
        return CertificateError(.noCertificateInPEM, "The PEM text does not contain a certificate: \(found).")
    }

    /// Returns the error with the path at the beginning of its reason.
    func inFile(_ path: String) -> CertificateError {
        CertificateError(code, "\(Printable.text(path)): \(reason)", offset: offset)
    }

    /// Returns the error for a block of a PEM text. The offset is removed because it refers to the decoded block.
    func inBlock(at line: Int) -> CertificateError {
        CertificateError(code, "The PEM block in line \(line) is malformed. \(reason)")
    }

    private static func pemRemedy(input: String, output: String) -> String {
        "The bytes are PEM, but DER is expected. Convert the file: "
            + "openssl x509 -in \(input) -outform DER -out \(output)"
    }

    /// Returns the text quoted as one word for a shell.
    private static func shellWord(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard !isPlain || text.isEmpty else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension RegularFile.Failure {
    /// A human-readable sentence that begins with the path.
    package func reason(at path: String) -> String { "\(Printable.text(path)): \(reason)" }
}
