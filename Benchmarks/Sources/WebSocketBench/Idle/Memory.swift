import BenchSupport
import CMalloc

/// What a process takes, in KiB.
struct Memory: Codable {
    /// What is in the machine's memory.
    var resident: Double
    /// What is in use of the C library's heap; zero where that cannot be asked.
    var heap: Double

    static func now() -> Memory {
        #if os(Linux)
        let heap = mallinfo2()
        return Memory(
            resident: ResidentSet.kibibytes(), heap: Double(heap.uordblks + heap.hblkhd) / 1024)
        #else
        return Memory(resident: ResidentSet.kibibytes(), heap: 0)
        #endif
    }
}
