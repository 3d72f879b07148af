import Foundation

/// The memory of a process that is in the machine's.
package enum ResidentSet {
    /// This process's, in KiB. Linux only; elsewhere zero.
    package static func kibibytes() -> Double { kibibytes("self") }

    /// Another process's.
    package static func kibibytes(of process: Int32) -> Double { kibibytes("\(process)") }

    private static func kibibytes(_ process: String) -> Double {
        guard let statm = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8),
            let pages = statm.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return 0 }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }
}
