package import HTTPTypes
package import HoldfastTransport

/// What a client finds at the start of the answer to its upgrade.
///
/// A `101` is read here, in one piece with what follows it, so that no frame depends on when a decoder leaves its
/// pipeline. Every other answer is left to an HTTP decoder.
package enum UpgradeAnswer: Hashable, Sendable {
    /// The start of a `1xx`, perhaps: wait for more.
    case incomplete
    /// A complete `1xx` other than 101, and the number of its bytes: the answer follows.
    case informational(size: Int)
    /// A `101` with these fields, and the number of its bytes.
    case switching(HTTPFields, size: Int)
    /// A `1xx` that is not well-formed, and what is wrong with it. A wrong line break is told at once, before the head is complete.
    case malformed(ResponseDefect)
    /// Something else, a final answer for instance.
    case other

    /// Looks at the first bytes of an answer.
    ///
    /// - Parameter known: How many of the bytes were looked at before, and found incomplete: they are not searched
    ///   again.
    package static func examine(_ bytes: UnsafeRawBufferPointer, known: Int = 0) -> UpgradeAnswer {
        guard zip(bytes, "HTTP/1.1 1".utf8).allSatisfy(==) else { return .other }
        let found = HeadBytes(bytes, known: known)
        let searched = UnsafeRawBufferPointer(rebasing: bytes[..<(found?.size ?? bytes.count)])
        if let defect = HeadBytes.lineDefect(in: searched, known: known) { return .malformed(defect) }
        guard let head = found else { return .incomplete }
        let status = head.firstLine.dropFirst("HTTP/1.1 ".utf8.count)
        let code = status.prefix(3)
        // RFC 9112, 4: three digits, a blank, a phrase that may be empty. Some leave the blank out, too.
        guard code.count == 3, code.allSatisfy({ (0x30...0x39).contains($0) }),
            status.dropFirst(3).first.map({ $0 == 0x20 }) ?? true
        else { return .malformed(.statusLine) }
        guard status.allSatisfy(HeadBytes.isText) else { return .malformed(.controlCharacter) }
        guard let fields = head.fields else { return .malformed(head.defect ?? .fieldName) }
        return code.elementsEqual("101".utf8) ? .switching(fields, size: head.size) : .informational(size: head.size)
    }
}
