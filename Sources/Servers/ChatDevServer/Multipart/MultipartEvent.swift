import NIOCore

/// What ``MultipartParser`` found, in the order of the body.
enum MultipartEvent: Hashable, Sendable {
    /// A part's headers are complete.
    case began(MultipartPart)
    /// Bytes of the part that began last.
    case data(ByteBuffer)
    /// The part that began last is complete.
    case ended
    /// The closing boundary was seen. What follows is ignored.
    case finished
}
