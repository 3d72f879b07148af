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
        let reading = NIOThreadPool.singleton.runIfActive(eventLoop: loop) { try self.read(at: offset, count: count) }
        reading.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let bytes) where !bytes.isEmpty:
                completion(.success(bytes))
            case .success:
                completion(
                    .failure(
                        TransportError(.bodyFailed, in: .sending, "The file has become shorter while it was sent.")))
            case .failure(let error):
                let error = error as? TransportError
                completion(
                    .failure(error ?? TransportError(.bodyFailed, in: .sending, "The file cannot be read.")))
            }
        }
    }
}
