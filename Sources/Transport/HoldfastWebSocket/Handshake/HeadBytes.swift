import HTTPTypes
import HoldfastTransport

/// The lines of an HTTP/1 head, read strictly (RFC 9112, 2.2 and 5): lines end in CR LF, and no line is folded.
struct HeadBytes {
    /// The first line: of a request or of a status.
    let firstLine: [UInt8]
    /// The fields; `nil` where one is malformed.
    let fields: HTTPFields?
    /// What is wrong with the first malformed field.
    let defect: ResponseDefect?
    /// The size of the head, the blank line included.
    let size: Int

    /// Reads the head at the start of `bytes`; `nil` while its end has not come.
    ///
    /// - Parameter known: How many of the bytes were searched before without finding the end.
    init?(_ bytes: UnsafeRawBufferPointer, known: Int = 0) {
        let tail = max(0, min(known, bytes.count) - 3)
        let blankLine: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= 4,
            let end = (tail...max(tail, bytes.count - 4)).first(where: { bytes[$0...].starts(with: blankLine) })
        else { return nil }
        let lines = Self.split(Array(bytes[..<end])[...])
        self.firstLine = lines.first.map { Array($0) } ?? []
        self.size = end + 4
        do throws(Malformed) {
            var fields: HTTPFields = [:]
            for line in lines.dropFirst() { fields.append(try Self.field(line)) }
            self.fields = fields
            self.defect = nil
        } catch {
            self.fields = nil
            self.defect = error.defect
        }
    }

    private struct Malformed: Error {
        var defect: ResponseDefect
    }

    /// Looks for a line break other than CR LF, which ends the reading at once: no blank line may ever follow.
    ///
    /// - Parameter known: How many of the bytes were looked at before.
    static func lineDefect(in bytes: UnsafeRawBufferPointer, known: Int = 0) -> ResponseDefect? {
        var previous: UInt8 = known > 0 && known <= bytes.count ? bytes[known - 1] : 0
        for byte in bytes.dropFirst(known) {
            if previous == 13, byte != 10 { return .bareCarriageReturn }
            if byte == 10, previous != 13 { return .bareLineFeed }
            previous = byte
        }
        return nil
    }

    /// Whether a byte may stand in a field's value or a reason phrase (RFC 9110, 5.5).
    static func isText(_ byte: UInt8) -> Bool { byte == 0x09 || (0x20...0x7E).contains(byte) || byte >= 0x80 }

    /// A name, a colon without a blank before it, a value.
    private static func field(_ line: ArraySlice<UInt8>) throws(Malformed) -> HTTPField {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        if line.first.map(isBlank) == true { throw Malformed(defect: .foldedField) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw Malformed(defect: .missingColon) }
        guard let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) else {
            throw Malformed(defect: line[..<colon].last.map(isBlank) == true ? .spaceBeforeColon : .fieldName)
        }
        let value = line[(colon + 1)...].drop(while: isBlank)
        let text = value.prefix(upTo: (value.lastIndex { !isBlank($0) } ?? value.startIndex - 1) + 1)
        guard text.allSatisfy(isText) else { throw Malformed(defect: .controlCharacter) }
        return HTTPField(name: name, value: String(decoding: text, as: UTF8.self))
    }

    private static func split(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let end = rest.indices.first(where: { rest[$0] == 13 && rest[$0...].starts(with: [13, 10]) }) {
            lines.append(rest[..<end])
            rest = rest[(end + 2)...]
        }
        lines.append(rest)
        return lines
    }
}
