import Synchronization

/// The bytes of a file in pieces, for a message that need not be in memory whole. It can be gone through once.
final class FilePieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    /// The most bytes of a piece.
    private static let size = 64 * 1024

    private let file: InputFile
    private let read = Mutex(0)

    /// Opens a file. Throws one sentence.
    init(path: String) throws(ToolError) {
        file = try InputFile(path: path)
    }

    /// The bytes that have been read so far.
    var byteCount: Int { read.withLock { $0 } }

    func makeAsyncIterator() -> Iterator { Iterator(pieces: self) }

    /// Reads piece after piece.
    struct Iterator: AsyncIteratorProtocol {
        let pieces: FilePieces

        func next() async throws -> [UInt8]? {
            let piece = try pieces.file.read(upTo: FilePieces.size)
            pieces.read.withLock { $0 += piece.count }
            return piece.isEmpty ? nil : piece
        }
    }
}
