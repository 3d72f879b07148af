#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is made, and never written over one that is there.
struct NewFile {
    var path: String
    var bytes: [UInt8]
    /// Whether its owner alone may read it.
    var isPrivate: Bool

    /// Makes all the files or none. Throws one sentence that names the file.
    static func create(_ files: [NewFile]) throws(ToolError) {
        var made: [String] = []
        do throws(ToolError) {
            for file in files {
                let descriptor = try file.open()
                made.append(file.path)
                defer { close(descriptor) }
                try file.write(to: descriptor)
            }
        } catch {
            for path in made { unlink(path) }
            throw error
        }
    }

    private func open() throws(ToolError) -> Int32 {
        let descriptor = systemOpen(
            path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
        guard descriptor >= 0 else {
            let reason =
                errno == EEXIST
                ? "it is there already, and is not written over" : String(cString: strerror(errno))
            throw ToolError("cannot make '\(path)': \(reason)")
        }
        return descriptor
    }

    private func write(to descriptor: Int32) throws(ToolError) {
        do throws(ToolError) {
            try SystemCalls.write(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw ToolError(String(cString: strerror(errno))) }
        } catch {
            throw ToolError("cannot write '\(path)': \(error.sentence)")
        }
    }
}

// The C function, by a name that the method above does not hide.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    open(path, flags, mode)
}

/// Who may use a file.
enum FileMode {
    /// Whether the file's mode lets others than its owner read or write it. Links are followed, as reading does.
    static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o066 != 0
    }
}
