/// Reads PEM (RFC 7468) strictly: nothing damaged passes for something shorter.
///
/// Text outside of blocks is passed over, as section 2 of the RFC allows: bundles have comments. Inside a block there is
/// base64 with its padding and nothing else; lines may have any length and end in LF, CRLF or CR. Takes time linear in
/// the size of the text.
public struct PEMReader: Sendable {
    /// Bytes of a text. The largest bundles of roots have half a megabyte.
    public static let sizeLimit = 8 << 20
    /// Decoded bytes of one block.
    public static let blockSizeLimit = 1 << 20
    /// Blocks of one text. The largest bundles of roots have a few hundred.
    public static let countLimit = 10_000

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    private var lines: PEMLines
    private var count = 0
    private var isOver = false
    private let size: Int

    /// Starts at the beginning of a text.
    public init(_ text: [UInt8]) {
        self.lines = PEMLines(text)
        self.size = text.count
    }

    /// All blocks of a text, in order; none if it has none. Throws ``CertificateError`` with the offset of the first
    /// thing that is wrong.
    public static func blocks(in text: [UInt8]) throws(CertificateError) -> [PEMBlock] {
        var reader = PEMReader(text)
        var blocks: [PEMBlock] = []
        while let block = reader.next() { blocks.append(try block.get()) }
        return blocks
    }

    /// Whether bytes are PEM rather than DER: they hold the beginning of a block and are not one DER element.
    public static func isPEM(_ bytes: [UInt8]) -> Bool {
        if let element = DERReader(bytes).first, element.whole.count == bytes.count { return false }
        return bytes.firstRange(of: begin) != nil
    }

    /// The next block or what is wrong with it, after which reading may go on with the block that follows; `nil` at the
    /// end of the text, and once a limit is reached.
    public mutating func next() -> Result<PEMBlock, CertificateError>? {
        guard !isOver else { return nil }
        do throws(CertificateError) {
            guard let block = try read() else { return nil }
            return .success(block)
        } catch {
            if error.code == .tooLarge { isOver = true }
            return .failure(error)
        }
    }

    private mutating func read() throws(CertificateError) -> PEMBlock? {
        guard size <= PEMReader.sizeLimit else {
            throw CertificateError(
                .tooLarge, "The text has \(size) bytes, and at most \(PEMReader.sizeLimit) are read.")
        }
        while let line = lines.next() {
            guard lines.has(PEMReader.begin, at: line) else { continue }
            guard count < PEMReader.countLimit else {
                throw CertificateError(
                    .tooLarge, "The text has more than \(PEMReader.countLimit) PEM blocks.", offset: line.start)
            }
            count += 1
            return try readBlock(from: line)
        }
        return nil
    }

    private mutating func readBlock(from first: PEMLine) throws(CertificateError) -> PEMBlock {
        guard let label = lines.label(of: first, behind: PEMReader.begin, before: PEMReader.dashes) else {
            throw Self.malformed("does not end in five dashes, or its label is not plain text", first)
        }
        var decoder = Base64Decoder()
        while let line = lines.next() {
            if lines.has(PEMReader.end, at: line) {
                guard lines.label(of: line, behind: PEMReader.end, before: PEMReader.dashes) == label else {
                    throw Self.malformed("ends with another label than \(label), with which it begins", line)
                }
                guard decoder.isComplete else { throw Self.malformed("ends in the middle of its base64", line) }
                guard !decoder.bytes.isEmpty else { throw Self.malformed("has no contents", line) }
                return PEMBlock(label: label, der: decoder.bytes, line: first.number, offset: first.start)
            }
            guard !lines.has(PEMReader.begin, at: line) else {
                lines.goBack(to: line)
                throw Self.malformed("that begins here has no end before the next one begins", first)
            }
            if let offset = decoder.append(lines.bytes[line.start..<line.end], from: line.start) {
                let isHeader = lines.bytes[line.start..<line.end].contains(UInt8(ascii: ":"))
                throw Self.malformed(
                    isHeader
                        ? "has a header; encrypted and annotated blocks are not read"
                        : "has a character that is no base64", line, offset: offset)
            }
            guard decoder.bytes.count <= PEMReader.blockSizeLimit else {
                throw CertificateError(
                    .tooLarge,
                    "The PEM block in line \(first.number) has more than \(PEMReader.blockSizeLimit) bytes.",
                    offset: line.start)
            }
        }
        throw Self.malformed("that begins here has no end", first)
    }

    private static func malformed(_ what: String, _ line: PEMLine, offset: Int? = nil) -> CertificateError {
        CertificateError(
            .malformedPEM, "Line \(line.number) of the PEM text is damaged: the block \(what).",
            offset: offset ?? line.start)
    }
}

extension DERReader {
    /// The first element, if there is a well-formed one.
    fileprivate var first: DERElement? {
        var reader = self
        return try? reader.read()
    }
}

/// One block of a PEM text: what stands between `-----BEGIN label-----` and `-----END label-----`, decoded.
public struct PEMBlock: Hashable, Sendable {
    /// The words behind BEGIN, such as `CERTIFICATE` or `PUBLIC KEY`.
    public let label: String
    /// The decoded bytes. For a private key these are a secret.
    public let der: [UInt8]
    /// The line of the text, counted from 1, on which the block begins.
    public let line: Int
    /// The offset in the text of the block's first byte.
    public let offset: Int

    /// Whether the label says that it is a certificate.
    public var isCertificate: Bool { label == "CERTIFICATE" || label == "X509 CERTIFICATE" }

    /// Whether the label says that it is a private key, encrypted or not.
    public var isPrivateKey: Bool { label.hasSuffix("PRIVATE KEY") }
}
