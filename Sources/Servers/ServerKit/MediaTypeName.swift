import HTTPTypes

/// Validates the MIME type of an upload, which is sent back to clients.
package enum MediaTypeName {
    /// Returns `type/subtype` as the client sent it, without parameters, or `application/octet-stream`.
    package static func sanitized(_ text: String?) -> String {
        guard let text else { return fallback }
        let name = HeaderValue(text).name
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        // A type and a subtype are tokens (RFC 9110, section 5.6.2), like the name of a header field.
        guard parts.count == 2, name.utf8.count <= 127, parts.allSatisfy({ HTTPField.Name(String($0)) != nil }) else {
            return fallback
        }
        return name
    }

    private static let fallback = "application/octet-stream"
}
