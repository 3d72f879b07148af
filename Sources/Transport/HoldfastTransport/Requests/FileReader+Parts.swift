import NIOCore
import NIOPosix

extension FileReader {
    /// Reads bytes of `range` from `offset` on the thread pool, because disk access blocks.
    ///
    /// Must be called on `loop`, before the end of the range. `completion` is called on `loop` with 1 to `limit` bytes,
    /// or with `bodyFailed`.
    func readPart(
        at offset: Int64, of range: Range<Int64>, upTo limit: Int, on loop: any EventLoop,
        _ completion: @escaping (Result<[UInt8], TransportError>) -> Void
    ) {
        let count = Int(min(Int64(limit), range.upperBound - offset))
        let reading = NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
            let bytes = try self.read(at: offset, count: count)
            guard !bytes.isEmpty else {
                throw TransportError(.bodyFailed, in: .sending, "The file was truncated while it was sent.")
            }
            return bytes
        }
        reading.assumeIsolated().whenComplete { result in
            completion(
                result.mapError { error in
                    error as? TransportError ?? TransportError(.bodyFailed, in: .sending, "The file cannot be read.")
                })
        }
    }
}
