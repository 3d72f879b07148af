import NIOCore
import NIOPosix

extension FileReader {
    /// Reads what `range` has behind `offset`, at most `limit` bytes, on another thread: disks block. `completion` is called on
    /// `loop`, with at least one byte, or with `bodyFailed`. Called on `loop`, where something of the range is left.
    func readPart(
        at offset: Int64, of range: Range<Int64>, upTo limit: Int, on loop: any EventLoop,
        _ completion: @escaping (Result<[UInt8], TransportError>) -> Void
    ) {
        let count = Int(min(Int64(limit), range.upperBound - offset))
        let reading = NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
            let bytes = try self.read(at: offset, count: count)
            guard !bytes.isEmpty else {
                throw TransportError(.bodyFailed, in: .sending, "The file has become shorter while it was sent.")
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
