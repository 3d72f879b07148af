import Foundation

/// The file that holds the input under way. Memory that the kernel writes out, so that noting an input costs no system
/// call and survives a trap.
struct UnderWay: ~Copyable {
    private static let capacity = 1 << 20
    private let path: String
    private let memory: UnsafeMutableRawPointer

    init(path: String) throws {
        self.path = path
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0, ftruncate(file, off_t(UnderWay.capacity)) == 0,
            let memory = mmap(nil, UnderWay.capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
        else { throw CocoaError(.fileWriteUnknown) }
        Foundation.close(file)
        self.memory = memory
    }

    /// The length in eight bytes, then the input.
    func note(_ bytes: [UInt8]) {
        let count = min(bytes.count, UnderWay.capacity - 8)
        memory.storeBytes(of: UInt64(count), as: UInt64.self)
        bytes.withUnsafeBytes { source in
            if let start = source.baseAddress { (memory + 8).copyMemory(from: start, byteCount: count) }
        }
    }

    /// All went well: the file is not needed.
    consuming func close() throws {
        munmap(memory, UnderWay.capacity)
        try FileManager.default.removeItem(atPath: path)
    }
}
