import CMalloc

/// What a process takes, in KiB.
package struct Memory: Codable, Sendable {
    /// What is in the machine's memory.
    package var resident: Double
    /// What is in use of the C library's heap; zero where that cannot be asked.
    package var heap: Double

    package init(resident: Double, heap: Double) {
        self.resident = resident
        self.heap = heap
    }

    package static func now() -> Memory {
        #if os(Linux)
        let heap = mallinfo2()
        return Memory(
            resident: ResidentSet.kibibytes(), heap: Double(heap.uordblks + heap.hblkhd) / 1024)
        #else
        return Memory(resident: ResidentSet.kibibytes(), heap: 0)
        #endif
    }
}
