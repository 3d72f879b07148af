/// A file that is being sent, open and watched: once it is in another state, reading it fails.
struct UploadFile: Sendable {
    let reader: FileReader

    init(path: String) async throws(TransportError) {
        reader = try await FileReader.opened(path: path, isWatched: true)
    }

    var size: Int64 { reader.size }

    /// A range of the file as a body.
    func body(_ range: Range<Int64>) -> HTTPBody {
        HTTPBody(source: .opened(reader, range))
    }

    /// The digest of the file.
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

    /// Runs what reads the file; says so where that failed because the file has changed.
    func translating<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch let error as TransportError where error.code == .bodyFailed && !reader.isUnchanged {
            throw Self.changed
        }
    }

    static let changed = TransferError(.fileChanged, "The file has changed while it was sent.")
}
