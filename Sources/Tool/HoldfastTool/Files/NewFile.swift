import HoldfastBase
import HoldfastSystem
import HoldfastTrust

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
                "cannot make '\(path)': "
                    + (exists ? "it is there already, and is not written over" : "\(error.error)"))
        }
    }
}

/// Who may use a file.
enum FileMode {
    /// Whether the file's mode lets others than its owner read or write it. Links are followed, as reading does.
    static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o066 != 0
    }

    /// Warns about a file with a secret that others than its owner can read or write.
    static func warn(ifOpenToOthers path: String, on console: Console) {
        guard isOpenToOthers(path) else { return }
        console.note(
            "WARNING: \(Printable.text(path)) can be read or written by others on this machine (its mode should be 0600)"
        )
    }
}
