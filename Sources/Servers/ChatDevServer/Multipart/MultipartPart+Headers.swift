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
