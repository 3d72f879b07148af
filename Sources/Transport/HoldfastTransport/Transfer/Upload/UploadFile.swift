/// A file that is being uploaded. Reading it fails after it changed.
struct UploadFile: Sendable {
    let reader: FileReader

    init(path: String) async throws(TransportError) {
        reader = try await FileReader.opened(path: path, isWatched: true)
    }

    var size: Int64 { reader.size }

    /// Returns a range of the file as a body.
    func body(_ range: Range<Int64>) -> HTTPBody {
        HTTPBody(source: .opened(reader, range))
    }

    /// Returns the digest of the file.
    func digest(_ algorithm: Checksum.Algorithm) async throws -> Checksum {
        let reader = reader
        let bytes = try await translating {
            try await ContentHasher.digest(algorithm, of: 0..<reader.size, in: .preparing) {
                let part = try reader.read(at: $0, count: $1)
                guard !part.isEmpty else { throw Self.changed }
                return part
            }
        }
        guard let checksum = Checksum(algorithm, bytes: bytes) else { throw Self.changed }
        return checksum
    }

    /// Runs code that reads the file, and throws `fileChanged` if it failed because the file changed.
    func translating<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch let error as TransportError where error.code == .bodyFailed && !reader.isUnchanged {
            throw Self.changed
        }
    }

    static let changed = TransferError(.fileChanged, "The file changed during the upload.")
}
