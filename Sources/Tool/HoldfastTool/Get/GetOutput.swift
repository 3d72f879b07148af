import HoldfastBase
import HoldfastSystem
import HoldfastTransport

/// Where `holdfast get` writes the body of a response.
enum GetOutput: Hashable, Sendable {
    case standardOutput
    /// A regular file, which exists or not.
    case file(String)
    /// An existing device or pipe, such as `/dev/null`. It is opened and never replaced.
    case device(String)

    /// Takes the value of `--output`; `nil` and `-` are standard output.
    init(_ path: String?) {
        guard let path, path != "-" else {
            self = .standardOutput
            return
        }
        let isDevice = FileIdentity(path: path).map { !$0.isRegularFile && !$0.isDirectory } ?? false
        self = isDevice ? .device(path) : .file(path)
    }

    /// The path, unless it is standard output.
    var path: String? {
        switch self {
        case .standardOutput: nil
        case .file(let path), .device(let path): path
        }
    }

    /// Throws if the path is a folder, or if the file exists and no option allows replacing it. The same applies to an
    /// unfinished download of the file.
    ///
    /// - Parameter mayExist: Whether `--force` or `--continue` was given.
    func check(mayExist: Bool) throws(GetFailure) {
        guard case .file(let path) = self else { return }
        let file = FileIdentity(path: path)
        guard file?.isDirectory != true, !path.hasSuffix("/") else {
            throw .output("'\(Printable.text(path))' is a folder: give the name of a file")
        }
        guard !mayExist else { return }
        guard file == nil else { throw .exists(path) }
        let (folder, name) = Self.split(path)
        guard let part = FileIdentity(path: "\(folder)/\(PartialFile.name(of: name))"), part.stamp.size > 0 else {
            return
        }
        throw GetFailure(
            code: "unfinished", reason: "an unfinished download of '\(Printable.text(path))' exists",
            status: .outputExists, remedy: "--continue resumes it, --force starts again")
    }

    /// Returns the folder and the name of a path.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
    }
}
