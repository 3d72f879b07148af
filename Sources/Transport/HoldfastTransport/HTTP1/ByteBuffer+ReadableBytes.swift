import NIOCore

extension ByteBuffer {
    /// The readable bytes, for loops over single bytes: through a view of the buffer each costs several times as much.
    ///
    /// As `withUnsafeReadableBytes`, with a typed error.
    func withReadableBytes<R>(
        _ body: (UnsafeRawBufferPointer) throws(TransportError) -> R
    ) throws(TransportError) -> R {
        let result = withUnsafeReadableBytes { bytes in
            Result { () throws(TransportError) in try body(bytes) }
        }
        return try result.get()
    }
}
