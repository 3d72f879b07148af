import NIOCore

/// An event of ``MultipartParser``, in the order of the body.
enum MultipartEvent: Hashable, Sendable {
    /// A part's headers are complete.
    case began(MultipartPart)
    /// Bytes of the current part.
    case data(ByteBuffer)
    /// The current part is complete.
    case ended
    /// The closing boundary was found. The rest of the body is ignored.
    case finished
}
