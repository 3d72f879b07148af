import HoldfastBase
import HoldfastSystem

/// A file to create. Existing files are never overwritten.
struct NewFile {
    var path: String
    var bytes: [UInt8]
    /// Whether only the owner may read the file.
    var isPrivate: Bool

    /// Creates all files or none. Throws one sentence that names the file.
    static func create(_ files: [NewFile]) throws(ToolError) {
        var made: [String] = []
        do throws(ToolError) {
            for file in files {
                try file.create()
                made.append(file.path)
            }
        } catch {
            for path in made { unlink(path) }
            throw error
        }
    }

    private func create() throws(ToolError) {
        do throws(DurableFile.Failure) {
            try DurableFile.create(path, mode: isPrivate ? 0o600 : 0o644, with: bytes)
        } catch {
            guard error.step == .create else { throw ToolError("cannot write '\(path)': \(error.error)") }
            let exists = error.error.number == EEXIST
            throw ToolError(
                "cannot create '\(path)': "
                    + (exists ? "it already exists and is not overwritten" : "\(error.error)"))
        }
    }
}

/// Checks a file's permissions.
enum FileMode {
    /// Returns whether the file's mode lets other users read or write it. Follows links, as reading does.
    static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o066 != 0
    }

    /// Warns about a file with a secret that other users can read or write.
    static func warn(ifOpenToOthers path: String, on console: Console) {
        guard isOpenToOthers(path) else { return }
        console.note("WARNING: \(Printable.text(path)) can be read or written by other users (its mode should be 0600)")
    }
}
