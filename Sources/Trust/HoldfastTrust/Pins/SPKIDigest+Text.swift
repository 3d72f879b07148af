import HoldfastBase

extension SPKIDigest {
    /// Reads a pin as printed by `holdfast pin` and other libraries: `sha256/` and 44 characters of base64 (RFC 7469,
    /// 2.4).
    ///
    /// ```swift
    /// let pin = try SPKIDigest("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
    /// ```
    ///
    /// Use ``init(base64:)`` for a text without the prefix.
    ///
    /// - Throws: ``PinError`` for any other text, including an invalid literal. The initializer never traps.
    public init(_ text: String) throws(PinError) {
        for (prefix, flaw) in SPKIDigest.otherPrefixes where text.hasPrefix(prefix) {
            throw PinError(.unsupportedHash, text, flaw)
        }
        let prefix = "sha256/"
        guard text.hasPrefix(prefix) else { throw SPKIDigest.missingPrefix(text) }
        let digits = String(text.dropFirst(prefix.count))
        if let digest = SPKIDigest(base64Only: digits) {
            self = digest
            return
        }
        throw SPKIDigest.flaw(of: digits, in: text)
    }

    /// Reads only the canonical base64 encoding of 32 bytes.
    private init?(base64Only text: String) {
        guard text.utf8.count == 44, !text.hasPrefix("sha256/"), let digest = SPKIDigest(base64: text),
            digest.base64 == text
        else { return nil }
        self = digest
    }

    private static let otherPrefixes = [
        ("sha1/", "is a SHA-1 hash; pins are SHA-256. To print it: holdfast pin FILE"),
        ("sha512/", "is a SHA-512 hash; pins are SHA-256. To print it: holdfast pin FILE"),
        ("md5/", "is an MD5 hash; pins are SHA-256. To print it: holdfast pin FILE"),
        (
            "raw-key-sha256/",
            "is the hash of the bare key, not of its SubjectPublicKeyInfo. To print it: holdfast pin FILE"
        ),
        ("certificate-sha256/", "is the hash of a certificate, not of its key. To print it: holdfast pin FILE"),
    ]

    private static func missingPrefix(_ text: String) -> PinError {
        if text.isEmpty { return PinError(.missingPrefix, text, "is empty: write sha256/ and 44 characters of base64") }
        if let digest = SPKIDigest(base64Only: text) {
            return PinError(.missingPrefix, text, "has no prefix: write \"\(digest)\"")
        }
        let bytes = Array(text.utf8)
        if let digest = SPKIDigest(hexadecimal: bytes.filter { $0 != UInt8(ascii: ":") }) {
            return PinError(.missingPrefix, text, "is hexadecimal: write \"\(digest)\"")
        }
        return PinError(.missingPrefix, text, "does not begin with sha256/ followed by 44 characters of base64")
    }

    private init?(hexadecimal digits: [UInt8]) {
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        self.init(bytes: bytes)
    }

    private static func flaw(of digits: String, in text: String) -> PinError {
        if digits.hasPrefix("/"), let digest = SPKIDigest(base64Only: String(digits.dropFirst())) {
            return PinError(.wrongLength, text, "has two slashes, as curl writes it: write \"\(digest)\"")
        }
        for character in digits {
            switch character {
            case "+", "/", "=": continue
            case _ where character.isASCII && (character.isLetter || character.isNumber): continue
            case "-", "_":
                return PinError(
                    .invalidBase64, text, "is base64url: write + for - and / for _, and end it with =")
            default:
                return PinError(
                    .invalidBase64, text,
                    "has the character '\(Printable.text(String(character)))', which is not base64")
            }
        }
        guard digits.utf8.count == 44 else {
            return PinError(
                .wrongLength, text, "has \(digits.utf8.count) characters after sha256/, expected 44")
        }
        return PinError(.invalidBase64, text, "is not the base64 of 32 bytes: copy it again")
    }
}

/// The reason why a text is not a valid pin. Thrown by ``SPKIDigest/init(_:)``.
///
/// - Remedy: Print the pin with `holdfast pin`, or with the command for `openssl` in its documentation.
public struct PinError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes are stable and safe as metric labels. New codes may be added, so compare with the
    /// constants and handle unknown codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// The text does not begin with `sha256/`.
        public static let missingPrefix = Code(rawValue: "missingPrefix")
        /// The text names another hash function, or the hash of something other than a SubjectPublicKeyInfo.
        public static let unsupportedHash = Code(rawValue: "unsupportedHash")
        /// The text after the prefix is not standard base64 (RFC 4648, section 4).
        public static let invalidBase64 = Code(rawValue: "invalidBase64")
        /// The text after the prefix does not encode 32 bytes.
        public static let wrongLength = Code(rawValue: "wrongLength")
    }

    /// The kind of failure.
    public let code: Code
    /// The text, safe to print and limited to 512 characters.
    public let spelling: String
    /// A human-readable sentence that includes the correct form.
    public let reason: String

    /// The reason as text.
    public var description: String { reason }

    init(_ code: Code, _ text: String, _ flaw: String) {
        self.code = code
        self.spelling = Printable.text(text)
        self.reason = "The pin \"\(spelling)\" \(flaw)."
    }
}
