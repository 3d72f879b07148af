/// Prepares the first frame for the page.
enum PageFirstFrame {
    /// Returns a `state` frame for a `script` element: without `<`, which could end the element, and with the newest
    /// rows only. The frame without the older rows contains `"cut":true`; the script asks for the complete frame when
    /// the visitor scrolls to them.
    ///
    /// - Parameters:
    ///   - frame: The frame, as ``PageSession`` has written it.
    ///   - count: The largest number of rows.
    static func embedded(_ frame: [UInt8], rows count: Int) -> [UInt8] {
        escaped(trimmed(frame, rows: count))
    }

    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        // `<` occurs only in JSON strings, which may contain it as an escape sequence.
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte == UInt8(ascii: "<") { result += Array(#"\u003c"#.utf8) } else { result.append(byte) }
        }
        return result
    }

    private static func trimmed(_ frame: [UInt8], rows count: Int) -> [UInt8] {
        guard let list = rows(in: frame), list.starts.count > count else { return frame }
        let first = list.starts[list.starts.count - count]
        return Array(frame[..<list.begin]) + Array(frame[first..<list.end]) + Array(#"],"cut":true"#.utf8)
            + Array(frame[(list.end + 1)...])
    }

    /// The place of the array `state.rows`: the index after its bracket, the index of the closing bracket, and the
    /// first index of each row.
    private struct RowList {
        var begin: Int
        var end: Int
        var starts: [Int]
    }

    private static func rows(in frame: [UInt8]) -> RowList? {
        let name = Array(#""rows":["#.utf8)
        var depth = 0
        var index = 0
        var begin: Int?
        var starts: [Int] = []
        while index < frame.count {
            switch frame[index] {
            case UInt8(ascii: "\""):
                // The member `rows` of the member `state` is at depth 2. Search results have their own `rows`, deeper.
                if begin == nil, depth == 2, frame[index...].starts(with: name) {
                    index += name.count
                    depth += 1
                    begin = index
                    continue
                }
                index = end(ofString: index, in: frame)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if begin != nil, depth == 3 { starts.append(index) }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if let begin, depth == 2 { return RowList(begin: begin, end: index, starts: starts) }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Returns the index of the quotation mark that ends a string.
    private static func end(ofString start: Int, in frame: [UInt8]) -> Int {
        var index = start + 1
        while index < frame.count, frame[index] != UInt8(ascii: "\"") {
            index += frame[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }
}
