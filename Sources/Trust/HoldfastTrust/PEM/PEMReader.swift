/// Parses PEM (RFC 7468) strictly: damaged text is never accepted as shorter valid text.
///
/// Text outside blocks is skipped, as section 2 of the RFC allows, because root bundles contain comments. A block
/// contains only base64 with its padding. Lines may have any length and end in LF, CRLF or CR. Takes time linear in the
/// size of the text.
public struct PEMReader: Sendable {
    /// The maximum size of a text in bytes. The largest root bundles have half a megabyte.
    ///
    /// - Error: `CertificateError.Code.tooLarge`
    public static let sizeLimit = 8 << 20
    /// The maximum size of a decoded block in bytes.
    ///
    /// - Error: `CertificateError.Code.tooLarge`
    public static let blockSizeLimit = 1 << 20
    /// The maximum number of blocks in a text. The largest root bundles have a few hundred.
    ///
    /// - Error: `CertificateError.Code.tooLarge`
    public static let countLimit = 10_000

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    private var lines: PEMLines
    private var count = 0
    private var isOver = false
    private let size: Int

    /// Creates a reader at the beginning of a text.
    public init(_ text: [UInt8]) {
        self.lines = PEMLines(text)
        self.size = text.count
    }

    /// Returns all blocks of a text in order, possibly none.
    ///
    /// - Throws: ``CertificateError`` with the offset of the first problem.
    public static func blocks(in text: [UInt8]) throws(CertificateError) -> [PEMBlock] {
        var reader = PEMReader(text)
        var blocks: [PEMBlock] = []
        while let block = reader.next() { blocks.append(try block.get()) }
        return blocks
    }

    /// Returns whether bytes are PEM rather than DER: they contain the beginning of a block and are not one DER
    /// element.
    public static func isPEM(_ bytes: [UInt8]) -> Bool {
        var reader = DERReader(bytes)
        if let element = try? reader.read(), element.whole.count == bytes.count { return false }
        return bytes.firstRange(of: begin) != nil
    }

    /// Returns the next block or its problem, after which reading can continue with the following block. Returns `nil`
    /// at the end of the text and once a limit is reached.
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
                .tooLarge, "The text has \(size) bytes; the limit is \(PEMReader.sizeLimit).")
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
            throw Self.malformed("does not end in five dashes, or its label is not printable ASCII", first)
        }
        var decoder = Base64Decoder()
        while let line = lines.next() {
            if lines.has(PEMReader.end, at: line) {
                guard lines.label(of: line, behind: PEMReader.end, before: PEMReader.dashes) == label else {
                    throw Self.malformed("begins with the label \(label), but ends with another one", line)
                }
                guard decoder.isComplete else { throw Self.malformed("ends in the middle of its base64", line) }
                guard !decoder.bytes.isEmpty else { throw Self.malformed("has no contents", line) }
                return PEMBlock(label: label, der: decoder.bytes, line: first.number, offset: first.start)
            }
            guard !lines.has(PEMReader.begin, at: line) else {
                lines.goBack(to: line)
                throw Self.malformed("that begins here is not closed before the next one begins", first)
            }
            if let offset = decoder.append(lines.bytes[line.start..<line.end], from: line.start) {
                let isHeader = lines.bytes[line.start..<line.end].contains(UInt8(ascii: ":"))
                throw Self.malformed(
                    isHeader
                        ? "has a header; encrypted and annotated blocks are not read"
                        : "has a character that is not base64", line, offset: offset)
            }
            guard decoder.bytes.count <= PEMReader.blockSizeLimit else {
                throw CertificateError(
                    .tooLarge,
                    "The PEM block in line \(first.number) has more than \(PEMReader.blockSizeLimit) bytes.",
                    offset: line.start)
            }
        }
        throw Self.malformed("that begins here is not closed", first)
    }

    private static func malformed(_ what: String, _ line: PEMLine, offset: Int? = nil) -> CertificateError {
        CertificateError(
            .malformedPEM, "Line \(line.number) of the PEM text is malformed: the block \(what).",
            offset: offset ?? line.start)
    }
}

/// A block of a PEM text: the decoded bytes between `-----BEGIN label-----` and `-----END label-----`.
public struct PEMBlock: Hashable, Sendable {
    /// The label after BEGIN, such as `CERTIFICATE` or `PUBLIC KEY`.
    public let label: String
    /// The decoded bytes. They are secret if the block is a private key.
    public let der: [UInt8]
    /// The number of the line on which the block begins, starting at 1.
    public let line: Int
    /// The offset of the block's first byte in the text.
    public let offset: Int

    /// Whether the label is that of a certificate.
    public var isCertificate: Bool { label == "CERTIFICATE" || label == "X509 CERTIFICATE" }

    /// Whether the label is that of a private key, encrypted or not.
    public var isPrivateKey: Bool { label.hasSuffix("PRIVATE KEY") }

    /// Returns bytes as a PEM block with lines of 64 columns.
    static func text(_ label: String, _ der: [UInt8]) -> String {
        let base64 = Array(der.base64.utf8)
        let lines = stride(from: 0, to: base64.count, by: 64).map {
            String(decoding: base64[$0..<min($0 + 64, base64.count)], as: UTF8.self)
        }
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----"]).joined(separator: "\n") + "\n"
    }
}
