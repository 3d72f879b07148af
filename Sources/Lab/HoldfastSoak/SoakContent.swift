/// Bytes that follow from a request's number, so that one request's bytes are never taken for another's.
enum SoakContent {
    /// A body of this size.
    static func bytes(_ number: Int, _ size: Int) -> [UInt8] {
        let text = Array("<\(number):\(number &* 7919 % 104_729)>".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + text.count)
        while bytes.count < size { bytes += text }
        return Array(bytes.prefix(size))
    }

    /// What the server says about a body that it has received.
    static func receipt(_ number: Int, for body: [UInt8]) -> [UInt8] {
        Array("\(number) has \(body.count) bytes, \(body == bytes(number, body.count) ? "right" : "wrong")".utf8)
    }
}
