import Foundation
import NIOCore

/// A response of HTTP/1.1 with a known length.
struct RawResponse: Sendable {
    let status: Int
    /// The status line and the fields, without the empty line.
    let head: ByteBuffer
    let body: ByteBuffer

    /// Removes the first response from received bytes. Returns `nil` while it is incomplete.
    ///
    /// - Throws: ``BenchFailure`` for a response without a length.
    static func take(from received: inout ByteBuffer) throws -> RawResponse? {
        let view = received.readableBytesView
        guard let end = endOfHead(view) else { return nil }
        guard let length = length(view[..<end]) else { throw BenchFailure("a response without Content-Length") }
        guard view.endIndex - (end + 4) >= length, let head = received.readSlice(length: end - view.startIndex) else {
            return nil
        }
        received.moveReaderIndex(forwardBy: 4)
        guard let body = received.readSlice(length: length) else { return nil }
        return RawResponse(status: status(head.readableBytesView), head: head, body: body)
    }

    /// Returns the values of a field.
    func values(_ name: String) -> [String] {
        String(buffer: head).components(separatedBy: "\r\n").dropFirst().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
    }

    /// The number of the stored report, in a response to a report.
    var reportID: Int64? {
        let view = body.readableBytesView
        guard let start = view.firstIndex(where: Self.isDigit) else { return nil }
        return Int64(String(decoding: view[start...].prefix(while: Self.isDigit), as: UTF8.self))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The code follows `HTTP/1.1` and a space.
    private static func status(_ head: ByteBufferView) -> Int {
        head.dropFirst(9).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    private static func endOfHead(_ view: ByteBufferView) -> Int? {
        var from = view.startIndex
        while let line = view[from...].firstIndex(of: 0x0A) {
            if line >= view.startIndex + 3, view[line - 1] == 0x0D, view[line - 2] == 0x0A, view[line - 3] == 0x0D {
                return line - 3
            }
            from = line + 1
        }
        return nil
    }

    private static let lengthName = Array("content-length:".utf8)

    private static func length(_ head: ByteBufferView) -> Int? {
        for line in head.split(separator: 0x0A) where line.count > lengthName.count {
            guard zip(line, lengthName).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { continue }
            return line.dropFirst(lengthName.count).filter(isDigit).reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        return nil
    }
}
