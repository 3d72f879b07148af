/// Iterates over the lines of a PEM text.
struct PEMLines: Sendable {
    let bytes: [UInt8]
    private var position: Int
    private var number = 0

    /// The maximum length of a label. Known labels are shorter.
    ///
    /// - Error: `CertificateError.Code.malformedPEM`
    private static let labelLimit = 64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Skips the byte order mark that editors on Windows write.
        self.position = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    /// Returns the next line without surrounding spaces and tabs, or `nil` at the end. LF, CRLF and CR end a line.
    mutating func next() -> PEMLine? {
        guard position < bytes.count else { return nil }
        let origin = position
        var stop = origin
        while stop < bytes.count, bytes[stop] != 0x0a, bytes[stop] != 0x0d { stop += 1 }
        position = stop + 1
        if stop + 1 < bytes.count, bytes[stop] == 0x0d, bytes[stop + 1] == 0x0a { position += 1 }
        number += 1
        var (start, end) = (origin, stop)
        while start < end, Self.isBlank(bytes[start]) { start += 1 }
        while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
        return PEMLine(number: number, start: start, end: end, origin: origin)
    }

    /// Makes `line` the next line again.
    mutating func goBack(to line: PEMLine) {
        position = line.origin
        number = line.number - 1
    }

    /// Returns whether a line begins with these bytes.
    func has(_ prefix: [UInt8], at line: PEMLine) -> Bool {
        guard line.end - line.start >= prefix.count else { return false }
        var index = 0
        while index < prefix.count {
            guard bytes[line.start + index] == prefix[index] else { return false }
            index += 1
        }
        return true
    }

    /// Returns the text between `prefix` and `suffix` on a line, or `nil` unless it is printable ASCII of at most 64
    /// bytes.
    func label(of line: PEMLine, behind prefix: [UInt8], before suffix: [UInt8]) -> String? {
        let text = bytes[line.start..<line.end]
        guard text.count > prefix.count + suffix.count, text.suffix(suffix.count).elementsEqual(suffix) else {
            return nil
        }
        let label = text.dropFirst(prefix.count).dropLast(suffix.count)
        guard label.count <= PEMLines.labelLimit, label.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
        return String(decoding: label, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

/// A line of a PEM text without surrounding white space.
struct PEMLine: Hashable, Sendable {
    /// The number of the line, starting at 1.
    var number: Int
    /// The offset of the first byte that is not white space.
    var start: Int
    /// The offset after the last byte that is not white space.
    var end: Int
    /// The offset of the beginning of the line.
    var origin: Int
}
