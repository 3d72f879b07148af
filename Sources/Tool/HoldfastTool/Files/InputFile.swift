import HoldfastSystem

/// A file that is read from beginning to end. It is closed with the last reference.
final class InputFile: Sendable {
    /// The path as given.
    let path: String
    private let descriptor: Int32

    /// Opens a file. Throws one sentence with the system's reason.
    init(path: String) throws(ToolError) {
        self.path = path
        self.descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ToolError("cannot open '\(path)': \(SystemError.last)")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns at most `count` bytes; an empty array at the end of the file.
    func read(upTo count: Int) throws(ToolError) -> [UInt8] {
        do throws(SystemError) {
            return try SystemCalls.read(upTo: count, from: descriptor)
        } catch {
            throw ToolError("cannot read '\(path)': \(error)")
        }
    }

    /// Returns the whole file. Throws if it has more than `limit` bytes.
    func readAll(limit: Int) throws(ToolError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let part = try read(upTo: 64 * 1024)
            if part.isEmpty { return bytes }
            bytes += part
            guard bytes.count <= limit else { throw ToolError("'\(path)' has more than \(limit) bytes") }
        }
    }
}
