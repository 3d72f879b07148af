import Crypto
import Foundation
import HoldfastBase
import HoldfastTestSupport

/// The sizes of the responses of a page, from 1 kB to 60 kB. Small ones are as frequent as large ones on a logarithmic
/// scale.
struct Page: Sendable {
    let sizes: [Int]

    init(requests: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        sizes = (0..<requests).map { _ in
            Int(exp(Double.random(in: log(1000)...log(60_000), using: &generator)))
        }
    }

    var bytes: Int { sizes.reduce(0, +) }
}

/// A file with random content, on the disk and in memory.
struct UploadedFile: Sendable {
    let url: URL
    let bytes: [UInt8]
    /// The SHA-256 hash in hexadecimal digits.
    let hash: String

    init(megabytes: Int, seed: UInt64, in folder: URL) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(megabytes * 1_000_000)
        while bytes.count < megabytes * 1_000_000 {
            withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
        }
        url = folder.appendingPathComponent("upload.bin")
        try Data(bytes).write(to: url)
        hash = Array(SHA256.hash(data: bytes)).hexadecimal
        self.bytes = bytes
    }
}
