/// The MIME type of an upload, made safe to be sent back.
enum MediaTypeName {
    /// `type/subtype` as the client sent it, without parameters, or `application/octet-stream`.
    static func sanitized(_ text: String?) -> String {
        guard let text else { return fallback }
        let name = HeaderValue(text).name
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, name.utf8.count <= 127, parts.allSatisfy(isToken) else { return fallback }
        return name
    }

    private static let fallback = "application/octet-stream"

    /// RFC 9110, 5.6.2.
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
