#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file of metrics that a collector reads at any time: there is the old one or the new one, never a part.
///
/// Written beside its place under a name that ends in no `.prom`, with mode 0644 since the collector is somebody else, flushed
/// and renamed. A symbolic link in its place is replaced, not followed.
struct MetricsFile {
    /// The path as it was given.
    var path: String

    /// Replaces the file. Throws one sentence with the system's reason.
    func replace(with text: String) throws(ToolError) {
        let temporary = "\(path).\(getpid()).new"
        // What an earlier process of this number left behind when it was killed.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure() }
        do throws(ToolError) {
            defer { close(descriptor) }
            // Whatever the process's mask is: the collector is another user.
            guard fchmod(descriptor, 0o644) == 0 else { throw ToolError(String(cString: strerror(errno))) }
            try SystemCalls.write(Array(text.utf8), to: descriptor)
            guard fsync(descriptor) == 0 else { throw ToolError(String(cString: strerror(errno))) }
        } catch {
            unlink(temporary)
            throw ToolError("cannot write '\(path)': \(error.sentence)")
        }
        guard rename(temporary, path) == 0 else {
            let failure = failure()
            unlink(temporary)
            throw failure
        }
    }

    private func failure() -> ToolError {
        ToolError("cannot write '\(path)': \(String(cString: strerror(errno)))")
    }
}
