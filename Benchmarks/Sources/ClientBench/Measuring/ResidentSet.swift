import Foundation

/// The memory of this process that is in the machine's.
enum ResidentSet {
    /// In KiB. Linux only; elsewhere zero.
    static func kibibytes() -> Double {
        guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = statm.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return 0 }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }
}
