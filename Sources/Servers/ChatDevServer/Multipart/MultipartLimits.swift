/// The limits for a form.
struct MultipartLimits: Hashable, Sendable {
    /// The maximum number of bytes before the first boundary. Browsers and curl send none.
    var preambleBytes = 1024
    /// The maximum size of a part's header block in bytes.
    var headerBytes = 8 * 1024
    /// The maximum number of a part's header fields.
    var headerFields = 16
    /// The maximum number of parts.
    var parts = 8
}
