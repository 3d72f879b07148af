/// A `multipart/form-data` body (RFC 7578) with one file: what comes before its bytes, and what after.
struct MultipartForm: Hashable, Sendable {
    let contentType: String
    let head: [UInt8]
    let tail: [UInt8]

    /// - Parameters:
    ///   - boundary: At most 70 letters and digits that do not occur in the file; a random one of 128 bits cannot.
    init(file name: String, type: String, boundary: String) {
        contentType = "multipart/form-data; boundary=\(boundary)"
        head = Array(
            ("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(Self.escaped(name))\"\r\n"
                + "Content-Type: \(Self.mediaType(type))\r\n\r\n").utf8)
        tail = Array("\r\n--\(boundary)--\r\n".utf8)
    }

    /// Quotation marks and line breaks are percent-encoded, as browsers do (WHATWG HTML, 4.10.21.8): no name can end its header.
    private static func escaped(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            case let scalar where scalar.value < 0x20 || scalar.value == 0x7F: text += "_"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// A type that fits into a header, or the one of any bytes.
    static func mediaType(_ type: String) -> String {
        let isPlain =
            !type.isEmpty && type.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }
        return isPlain ? type : "application/octet-stream"
    }
}
