import HTTPTypes

/// The fields of draft-ietf-httpbis-resumable-upload, interop version 6, which this server supports.
enum ResumableUploadFields {
    enum Name: String {
        case version = "Upload-Draft-Interop-Version"
        case offset = "Upload-Offset"
        case complete = "Upload-Complete"
        case length = "Upload-Length"
        case limit = "Upload-Limit"
    }

    static let version = "6"
    /// The maximum size of one request in bytes, as reported to clients. Small parts make an upload resumable, because
    /// the upload's URL is in the response to the first part. Longer requests are accepted, too.
    static let appendLimit: Int64 = 1 << 20

    /// Returns whether a request uses the protocol.
    static func isPresent(in headers: HTTPFields) -> Bool { headers[Name.version] != nil }

    /// Returns the fields of every response.
    static func answer(offset: Int64? = nil, isComplete: Bool? = nil, limit: Int64? = nil) -> HTTPFields {
        var fields = HTTPFields()
        fields[Name.version] = version
        if let offset { fields[Name.offset] = String(offset) }
        if let isComplete { fields[Name.complete] = isComplete ? "?1" : "?0" }
        if let limit { fields[Name.limit] = "max-size=\(limit), max-append-size=\(appendLimit)" }
        return fields
    }

    /// Parses `?1` or `?0`; returns `nil` for anything else.
    static func boolean(_ name: Name, _ headers: HTTPFields) -> Bool? {
        switch headers[name] {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    /// Parses a non-negative integer of at most fifteen digits (RFC 9651, section 3.3.1); returns `nil` for anything
    /// else.
    static func integer(_ name: Name, _ headers: HTTPFields) -> Int64? {
        guard let text = headers[name], (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }
}

extension HTTPFields {
    fileprivate(set) subscript(name: ResumableUploadFields.Name) -> String? {
        get { HTTPField.Name(name.rawValue).flatMap { self[$0] } }
        set { if let name = HTTPField.Name(name.rawValue) { self[name] = newValue } }
    }
}
