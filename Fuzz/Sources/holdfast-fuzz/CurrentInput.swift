import Foundation

/// The file with the current input. It is mapped into memory, so that writing an input needs no system call and the
/// input survives a trap.
struct CurrentInput: ~Copyable {
    private static let capacity = 1 << 20
    private let path: String
    private let memory: UnsafeMutableRawPointer

    init(path: String) throws {
        self.path = path
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0, ftruncate(file, off_t(CurrentInput.capacity)) == 0,
            let memory = mmap(nil, CurrentInput.capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            memory != MAP_FAILED
        else { throw CocoaError(.fileWriteUnknown) }
        Foundation.close(file)
        self.memory = memory
    }

    /// Stores the input: its length in eight bytes, then its bytes.
    func note(_ bytes: [UInt8]) {
        let count = min(bytes.count, CurrentInput.capacity - 8)
        memory.storeBytes(of: UInt64(count), as: UInt64.self)
        bytes.withUnsafeBytes { source in
            if let start = source.baseAddress { (memory + 8).copyMemory(from: start, byteCount: count) }
        }
    }

    /// Removes the file after a run without a trap.
    consuming func close() throws {
        munmap(memory, CurrentInput.capacity)
        try FileManager.default.removeItem(atPath: path)
    }
}
