import Foundation

/// The limit on open files.
package enum OpenFiles {
    /// Raises the limit to the maximum for this process, and returns it.
    @discardableResult
    package static func raiseLimit() -> Int {
        var limit = rlimit()
        #if os(Linux)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        return Int(clamping: setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before)
    }
}
