/// What a form may cost before it is refused.
struct MultipartLimits: Hashable, Sendable {
    /// Bytes before the first boundary. Browsers and curl send none.
    var preambleBytes = 1024
    /// Bytes in one part's header block.
    var headerBytes = 8 * 1024
    /// Header fields in one part.
    var headerFields = 16
    /// Parts in a form.
    var parts = 8
}
