import HTTPTypes

/// The fields of draft-ietf-httpbis-resumable-upload in interop version 6, which this server speaks.
enum ResumableUploadFields {
    enum Name: String {
        case version = "Upload-Draft-Interop-Version"
        case offset = "Upload-Offset"
        case complete = "Upload-Complete"
        case length = "Upload-Length"
        case limit = "Upload-Limit"
    }

    static let version = "6"
    /// The most bytes of one request that clients are told. Small parts are what makes an upload resumable here: the URL to
    /// go on at comes with the answer to the first part.
    static let appendLimit: Int64 = 1 << 20

    /// Whether a request speaks the protocol at all.
    static func isPresent(in headers: HTTPFields) -> Bool { headers[Name.version] != nil }

    /// What every answer says.
    static func answer(offset: Int64? = nil, isComplete: Bool? = nil, limit: Int64? = nil) -> HTTPFields {
        var fields = HTTPFields()
        fields[Name.version] = version
        if let offset { fields[Name.offset] = String(offset) }
        if let isComplete { fields[Name.complete] = isComplete ? "?1" : "?0" }
        if let limit { fields[Name.limit] = "max-size=\(limit), max-append-size=\(appendLimit)" }
        return fields
    }

    /// `?1` or `?0`; `nil` for anything else.
    static func boolean(_ name: Name, _ headers: HTTPFields) -> Bool? {
        switch headers[name] {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    /// An integer that is not negative, of fifteen digits at most (RFC 9651, 3.3.1); `nil` for anything else.
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
