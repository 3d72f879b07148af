import HTTPTypes

/// The fields of resumable uploads in one version of the protocol.
struct ResumptionFields: Hashable, Sendable {
    let version: UploadInteropVersion

    /// Returns the fields of a request that sends bytes.
    func sending(offset: Int64?, isLast: Bool, length: Int64) -> [(String, String)] {
        var fields = announcing
        if let offset { fields.append(("Upload-Offset", String(offset))) }
        if version >= .five {
            fields.append(("Upload-Complete", isLast ? "?1" : "?0"))
        } else {
            fields.append(("Upload-Incomplete", isLast ? "?0" : "?1"))
        }
        if version >= .six, offset == nil { fields.append(("Upload-Length", String(length))) }
        if offset != nil { fields.append(("Content-Type", "application/partial-upload")) }
        return fields
    }

    /// The fields of a request without bytes.
    var announcing: [(String, String)] { [("Upload-Draft-Interop-Version", String(version.rawValue))] }

    /// Returns the protocol version of a response, if it has one.
    static func version(of response: HTTPResponse) throws(TransferError) -> Int64? {
        try integer("Upload-Draft-Interop-Version", of: response)
    }

    /// Returns the number of bytes that the server has.
    static func offset(of response: HTTPResponse) throws(TransferError) -> Int64? {
        try integer("Upload-Offset", of: response)
    }

    /// Returns whether the upload is complete, if the server says so.
    func isComplete(_ response: HTTPResponse) throws(TransferError) -> Bool? {
        let name = version >= .five ? "Upload-Complete" : "Upload-Incomplete"
        guard let value = try Self.value(name, of: response) else { return nil }
        switch value {
        case "?1": return version >= .five
        case "?0": return version < .five
        default: throw Self.malformed(name)
        }
    }

    /// Returns the server's limits for a whole upload and for one request, in bytes. Other limits are ignored.
    static func limits(of response: HTTPResponse) throws(TransferError) -> (whole: Int64?, part: Int64?) {
        var limits: (whole: Int64?, part: Int64?) = (nil, nil)
        guard let name = HTTPField.Name("Upload-Limit") else { return limits }
        for value in response.headerFields[values: name] {
            for member in value.listElements {
                let pair = member.split(separator: "=", maxSplits: 1)
                guard pair.count == 2 else { throw malformed("Upload-Limit") }
                switch pair[0] {
                case "max-size": limits.whole = try number(pair[1], "Upload-Limit")
                case "max-append-size": limits.part = try number(pair[1], "Upload-Limit")
                default: continue
                }
            }
        }
        return limits
    }

    /// Returns whether a response has a field.
    static func has(_ name: String, _ response: HTTPResponse) -> Bool {
        HTTPField.Name(name).map { response.headerFields.contains($0) } ?? false
    }

    private static func integer(_ name: String, of response: HTTPResponse) throws(TransferError) -> Int64? {
        guard let value = try value(name, of: response) else { return nil }
        return try number(value[...], name)
    }

    /// Parses a structured integer, which has at most fifteen digits (RFC 9651, 3.3.1). Negative values are malformed
    /// here.
    private static func number(_ text: Substring, _ name: String) throws(TransferError) -> Int64 {
        guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(text)
        else { throw malformed(name) }
        return number
    }

    private static func value(_ name: String, of response: HTTPResponse) throws(TransferError) -> String? {
        guard let field = HTTPField.Name(name) else { return nil }
        let values = response.headerFields[values: field]
        guard values.count <= 1 else { throw malformed(name) }
        return values.first
    }

    private static func malformed(_ name: String) -> TransferError {
        TransferError(.malformedField, "\(name) is malformed.")
    }
}

/// An interop version of the protocol for resumable uploads (draft-ietf-httpbis-resumable-upload).
///
/// The IETF drafts define this number for the field `Upload-Draft-Interop-Version`. Drafts differ in their fields, so
/// both sides send their version.
public enum UploadInteropVersion: Int, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// Draft 01: `Upload-Incomplete`.
    case three = 3
    /// Draft 03: `Upload-Complete`.
    case five = 5
    /// Drafts 04 and 05: `Upload-Length`, `Upload-Limit`, `application/partial-upload`. Supported by swift-nio-extras
    /// and current Apple systems.
    case six = 6

    /// Returns whether the first version is older.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
