import HoldfastBase
package import HoldfastSystem

/// Why certificate bytes could not be read.
public struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// There are no bytes.
        public static let empty = Code(rawValue: "empty")
        /// More bytes than a certificate may have.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes are PEM where DER is expected.
        public static let pemGiven = Code(rawValue: "pemGiven")
        /// The PEM text holds no certificate.
        public static let noCertificateInPEM = Code(rawValue: "noCertificateInPEM")
        /// The PEM text is damaged.
        public static let malformedPEM = Code(rawValue: "malformedPEM")
        /// The bytes are not DER.
        public static let malformedDER = Code(rawValue: "malformedDER")
        /// The DER is no X.509 certificate.
        public static let notACertificate = Code(rawValue: "notACertificate")
        /// There are several certificates where one is wanted.
        public static let severalCertificates = Code(rawValue: "severalCertificates")
        /// The bytes are no public key.
        public static let notAPublicKey = Code(rawValue: "notAPublicKey")
        /// The file could not be read.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person, with the remedy where there is one.
    public var reason: String
    /// The offset of the offending byte, where known.
    public var offset: Int?

    /// Makes an error.
    public init(_ code: Code, _ reason: String, offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }

    public var description: String { reason }
}

extension CertificateError {
    /// What to do about a PEM file where DER is wanted.
    package static let pemRemedy = pemRemedy(input: "cert.pem", output: "cert.cer")

    /// The failure of a file of certificates or keys.
    init(_ failure: RegularFile.Failure, at path: String) {
        let code: Code =
            switch failure.kind {
            case .tooLarge: .tooLarge
            case .empty: .empty
            case .missing, .irregular, .unreadable: .unreadableFile
            }
        self.init(code, failure.reason(at: path))
    }

    /// PEM in a file where DER is wanted, with the command that converts this very file.
    static func pemGiven(inFileAt path: String) -> CertificateError {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let stem = name.split(separator: ".").first.map(String.init) ?? name
        let output = name == stem + ".cer" ? stem + ".der.cer" : stem + ".cer"
        let remedy = pemRemedy(input: shellWord(path), output: shellWord(output))
        return CertificateError(.pemGiven, remedy, offset: 0)
    }

    /// A PEM text without a certificate. Names what it holds instead.
    static func noCertificate(among blocks: [PEMBlock]) -> CertificateError {
        let labels = Set(blocks.map(\.label)).sorted().prefix(5).joined(separator: ", ")
        let found = labels.isEmpty ? "there is no PEM block in it" : "it holds \(labels)"
        return CertificateError(.noCertificateInPEM, "The PEM text holds no certificate: \(found).")
    }

    /// The same error, with the file in front of its reason.
    func inFile(_ path: String) -> CertificateError {
        CertificateError(code, "\(Printable.text(path)): \(reason)", offset: offset)
    }

    /// The same error about a block of a PEM text. Offsets inside the block mean nothing to who looks at the text.
    func inBlock(at line: Int) -> CertificateError {
        CertificateError(code, "The PEM block in line \(line) is damaged. \(reason)")
    }

    private static func pemRemedy(input: String, output: String) -> String {
        "The bytes are PEM, and DER is wanted here. Convert the file: "
            + "openssl x509 -in \(input) -outform DER -out \(output)"
    }

    /// A word that a shell takes for what it is.
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
    /// One sentence for a person that begins with the path.
    package func reason(at path: String) -> String { "\(Printable.text(path)): \(reason)" }
}
