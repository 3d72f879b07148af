package import NIOCore

/// Parses a `multipart/form-data` body incrementally. At most one header block is in memory.
///
/// A delimiter is CRLF, two hyphens and the boundary (RFC 2046, section 5.1.1). The parser puts a CRLF in front of the
/// body, so that the first delimiter is found like all others.
package struct MultipartParser {
    private enum State {
        /// Before the first delimiter.
        case preamble
        /// After a delimiter: the final hyphens or the end of the line follow.
        case delimiter
        /// In a part's header block.
        case headers
        /// In a part's body.
        case body
        /// After the closing delimiter.
        case finished
    }

    private let delimiter: [UInt8]
    private let limits: MultipartLimits
    private var state = State.preamble
    private var buffer: ByteBuffer
    private var partCount = 0

    /// Creates a parser for a body with this `Content-Type`.
    package init(contentType: String, limits: MultipartLimits = .init()) throws(MultipartError) {
        let value = HeaderValue(contentType)
        guard value.name == "multipart/form-data" else { throw MultipartError(.notMultipart) }
        guard let boundary = value["boundary"], Self.isValid(boundary: boundary) else {
            throw MultipartError(.invalidBoundary)
        }
        self.delimiter = Array("\r\n--\(boundary)".utf8)
        self.limits = limits
        self.buffer = ByteBuffer(string: "\r\n")
    }

    /// Parses the next bytes of the body.
    package mutating func feed(_ bytes: ByteBuffer) throws(MultipartError) -> [MultipartEvent] {
        guard state != .finished else { return [] }
        buffer.writeImmutableBuffer(bytes)
        var events: [MultipartEvent] = []
        while try step(&events) {}
        buffer.discardReadBytes()
        return events
    }

    /// Ends the body. Throws if the closing boundary is missing.
    package func end() throws(MultipartError) {
        guard state == .finished else { throw MultipartError(.truncated) }
    }

    /// Performs one step. Returns `false` if more bytes are needed or the body has ended.
    private mutating func step(_ events: inout [MultipartEvent]) throws(MultipartError) -> Bool {
        switch state {
        case .preamble: return try skipPreamble()
        case .delimiter: return try readDelimiterEnd(&events)
        case .headers: return try readHeaders(&events)
        case .body: return readBody(&events)
        case .finished:
            buffer.clear()
            return false
        }
    }

    private mutating func skipPreamble() throws(MultipartError) -> Bool {
        guard let index = offset(of: delimiter) else {
            guard buffer.readableBytes <= limits.preambleBytes else { throw MultipartError(.preambleTooLong) }
            return false
        }
        guard index <= limits.preambleBytes else { throw MultipartError(.preambleTooLong) }
        buffer.moveReaderIndex(forwardBy: index + delimiter.count)
        state = .delimiter
        return true
    }

    /// Parses the text after a boundary: `--` closes the body, white space and CRLF begin a part.
    private mutating func readDelimiterEnd(_ events: inout [MultipartEvent]) throws(MultipartError) -> Bool {
        // Padding after a boundary is allowed, but limited to 64 bytes here.
        let line = buffer.readableBytesView.prefix(64)
        let content = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard content.count >= 2 else {
            guard line.count < 64 else { throw MultipartError(.malformedDelimiter) }
            return false
        }
        if line.starts(with: "--".utf8) {
            state = .finished
            buffer.clear()
            events.append(.finished)
            return false
        }
        guard content.starts(with: "\r\n".utf8) else { throw MultipartError(.malformedDelimiter) }
        buffer.moveReaderIndex(forwardBy: line.count - content.count + 2)
        state = .headers
        return true
    }

    private mutating func readHeaders(_ events: inout [MultipartEvent]) throws(MultipartError) -> Bool {
        guard !buffer.readableBytesView.starts(with: "\r\n".utf8) else { throw MultipartError(.missingName) }
        guard let end = offset(of: Self.headerTerminator) else {
            guard buffer.readableBytes <= limits.headerBytes else { throw MultipartError(.headersTooLong) }
            return false
        }
        guard end <= limits.headerBytes, let block = buffer.readBytes(length: end) else {
            throw MultipartError(.headersTooLong)
        }
        buffer.moveReaderIndex(forwardBy: Self.headerTerminator.count)
        partCount += 1
        guard partCount <= limits.parts else { throw MultipartError(.tooManyParts) }
        events.append(.began(try MultipartPart(headerBlock: block, fieldLimit: limits.headerFields)))
        state = .body
        return true
    }

    private mutating func readBody(_ events: inout [MultipartEvent]) -> Bool {
        if let index = offset(of: delimiter) {
            emit(index, into: &events)
            buffer.moveReaderIndex(forwardBy: delimiter.count)
            state = .delimiter
            events.append(.ended)
            return true
        }
        // Keep the last bytes, which may be the start of a delimiter.
        emit(buffer.readableBytes - (delimiter.count - 1), into: &events)
        return false
    }

    private mutating func emit(_ count: Int, into events: inout [MultipartEvent]) {
        guard count > 0, let data = buffer.readSlice(length: count) else { return }
        events.append(.data(data))
    }

    private static let headerTerminator = Array("\r\n\r\n".utf8)

    /// Returns the distance from the reader index to the first occurrence of `pattern`, which begins with CR.
    private func offset(of pattern: [UInt8]) -> Int? {
        let view = buffer.readableBytesView
        var start = view.startIndex
        while let candidate = view[start...].firstIndex(of: UInt8(ascii: "\r")) {
            if view[candidate...].starts(with: pattern) { return candidate - view.startIndex }
            start = view.index(after: candidate)
        }
        return nil
    }

    /// Checks RFC 2046, section 5.1.1: 1 to 70 characters of a small set, not ending with a space.
    private static func isValid(boundary: String) -> Bool {
        let allowed = "'()+_,-./:=? "
        return (1...70).contains(boundary.utf8.count) && !boundary.hasSuffix(" ")
            && boundary.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    || allowed.unicodeScalars.contains(scalar)
            }
    }
}

/// An event of ``MultipartParser``, in the order of the body.
package enum MultipartEvent: Hashable, Sendable {
    /// A part's headers are complete.
    case began(MultipartPart)
    /// Bytes of the current part.
    case data(ByteBuffer)
    /// The current part is complete.
    case ended
    /// The closing boundary was found. The rest of the body is ignored.
    case finished
}

/// The headers of a form's part.
package struct MultipartPart: Hashable, Sendable {
    /// The form field's name.
    package var name: String
    /// The file name if the part is a file. It comes from the peer: use it for display, never for a path.
    package var fileName: String?
    /// The part's content type, as sent.
    package var contentType: String?

    /// Creates the headers of a part.
    package init(name: String, fileName: String? = nil, contentType: String? = nil) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
    }
}

extension MultipartPart {
    /// Parses the header block of a part: lines separated by CRLF, without the empty line at the end.
    init(headerBlock: [UInt8], fieldLimit: Int) throws(MultipartError) {
        // File names are UTF-8 in practice (RFC 7578, section 5.1). Invalid bytes become U+FFFD; the name is only
        // displayed.
        let lines = String(decoding: headerBlock, as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        guard lines.count <= fieldLimit else { throw MultipartError(.tooManyHeaders) }
        var disposition: HeaderValue?
        var contentType: String?
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
                throw MultipartError(.malformedHeader)
            }
            let value = String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
            switch line[..<colon].lowercased() {
            case "content-disposition": disposition = HeaderValue(value)
            case "content-type": contentType = value
            default: break
            }
        }
        guard let disposition, disposition.name == "form-data", let name = disposition["name"] else {
            throw MultipartError(.missingName)
        }
        self.init(name: name, fileName: disposition["filename"], contentType: contentType)
    }
}

/// The limits for a form.
package struct MultipartLimits: Hashable, Sendable {
    /// The maximum number of bytes before the first boundary. Browsers and curl send none.
    ///
    /// - Error: HTTP 400, `MultipartError.Code.preambleTooLong`
    package var preambleBytes = 1024
    /// The maximum size of a part's header block in bytes.
    ///
    /// - Error: HTTP 400, `MultipartError.Code.headersTooLong`
    package var headerBytes = 8 * 1024
    /// The maximum number of a part's header fields.
    ///
    /// - Error: HTTP 400, `MultipartError.Code.tooManyHeaders`
    package var headerFields = 16
    /// The maximum number of parts.
    ///
    /// - Error: HTTP 400, `MultipartError.Code.tooManyParts`
    package var parts = 8

    /// Creates the default limits.
    package init() {}
}

/// Why a `multipart/form-data` body could not be read (RFC 7578).
package struct MultipartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Hashable, Sendable {
        case notMultipart, invalidBoundary, preambleTooLong, malformedDelimiter
        case headersTooLong, tooManyHeaders, malformedHeader, tooManyParts, missingName, truncated
    }

    /// The kind of failure.
    package var code: Code

    /// Creates an error.
    package init(_ code: Code) {
        self.code = code
    }

    /// A description in one sentence.
    package var description: String {
        switch code {
        case .notMultipart: "The request's content type is not multipart/form-data."
        case .invalidBoundary: "The content type has no valid boundary parameter."
        case .preambleTooLong: "There are too many bytes before the first part."
        case .malformedDelimiter: "A boundary line has trailing bytes."
        case .headersTooLong: "A part's header block is too long."
        case .tooManyHeaders: "A part has too many header fields."
        case .malformedHeader: "A part has a malformed header line."
        case .tooManyParts: "The body has too many parts."
        case .missingName: "A part has no content disposition of form-data with a name."
        case .truncated: "The body ends before its last boundary."
        }
    }
}
