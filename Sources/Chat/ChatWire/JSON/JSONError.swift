/// Why a text is not JSON that this reader accepts.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        case tooLong
        case tooDeep
        case unexpectedEnd
        case unexpectedByte
        case badNumber
        case badEscape
        case controlCharacter
        case notUTF8
        case trailingBytes
    }

    package let code: Code
    /// The position in bytes at which reading stopped.
    package let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    package var description: String { "JSON refused at byte \(offset): \(code.rawValue)" }
}
