import ChatBenchSupport
import Foundation

/// Counts the commits in the SQLite write-ahead log of a store, which are the frames that end a transaction.
///
/// SQLite restarts the log from time to time. Therefore ``look()`` must be called often.
struct CommitCounter {
    private static let headerLength = 32
    private static let frameHeaderLength = 24

    /// The number of commits in each pass over the file, by SQLite's number of the pass.
    private var counts: [UInt32: Int] = [:]
    private let folder: URL

    init(below folder: URL) {
        self.folder = folder
    }

    var count: Int { counts.values.reduce(0, +) }

    mutating func look() {
        for file in WorkFolder.files(below: folder) where file.lastPathComponent.hasSuffix("-wal") {
            guard let data = try? Data(contentsOf: file), data.count > Self.headerLength else { continue }
            let bytes = [UInt8](data)
            func number(at index: Int) -> UInt32 { bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) } }
            let (pageSize, pass) = (Int(number(at: 8)), number(at: 12))
            let salts = bytes[16..<24]
            var commits = 0
            var frame = Self.headerLength
            while frame + Self.frameHeaderLength + pageSize <= bytes.count, bytes[frame + 8..<frame + 16] == salts {
                if number(at: frame + 4) != 0 { commits += 1 }
                frame += Self.frameHeaderLength + pageSize
            }
            counts[pass] = max(counts[pass] ?? 0, commits)
        }
    }
}
