import CMalloc

/// The memory of a process, in KiB.
package struct Memory: Codable, Sendable {
    /// The resident set.
    package var resident: Double
    /// The C library's heap in use; zero if the platform does not report it.
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
