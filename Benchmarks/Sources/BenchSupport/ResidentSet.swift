import Foundation

/// The resident memory of a process.
package enum ResidentSet {
    /// Returns the resident set of this process in KiB. Linux only; zero on other platforms.
    package static func kibibytes() -> Double { kibibytes("self") }

    /// Returns the resident set of another process in KiB. Linux only; zero on other platforms.
    package static func kibibytes(of process: Int32) -> Double { kibibytes("\(process)") }

    private static func kibibytes(_ process: String) -> Double {
        guard let statm = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8),
            let pages = statm.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return 0 }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }
}
