import HoldfastBase

extension FileStore {
    /// The maximum number of symbolic links to follow, as on Linux.
    ///
    /// - Error: `FileStore.Failure`
    private static let linkLimit = 40
    /// The maximum length of a link's target.
    ///
    /// - Error: `FileStore.Failure`
    private static let pathLimit = 4_096

    /// Checks the parents of the folder, because a user who may rename one of them can replace the folder.
    ///
    /// - Each parent must belong to the user or to root.
    /// - Other users must not be able to write to it, unless it is sticky as `/tmp` is: there only the owner of a
    ///   folder can rename it.
    /// - The user's private group, which has the same number as the user, counts as the user.
    /// - Symbolic links are followed if they belong to the user or to root.
    /// - A missing folder ends the check, because the user creates it with mode 0700.
    ///
    /// Blocks the calling thread.
    package func checkParents() throws(Failure) {
        var path = "/"
        var rest = Array(try Self.absolute(folder).split(separator: "/").map(String.init).reversed())
        var links = 0
        while true {
            try Self.checkParent(path)
            // The folder itself is checked when it is opened, and must not be a link.
            guard rest.count > 1, let part = rest.popLast() else { return }
            if part == "." { continue }
            if part == ".." {
                path = Self.parent(of: path)
                continue
            }
            let next = path == "/" ? "/" + part : path + "/" + part
            var status = stat()
            guard lstat(next, &status) == 0 else {
                if errno == ENOENT { return }
                throw Failure(system: "the state of \(Printable.text(next)) above it cannot be read")
            }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                path = next
                continue
            }
            links += 1
            guard links <= Self.linkLimit else {
                throw Failure(.unsuitable, "there are too many symbolic links above it")
            }
            guard Self.isTrusted(status.st_uid) else {
                throw Failure(.foreignOwner, "the link \(Printable.text(next)) above it belongs to another user")
            }
            let target = try Self.target(of: next)
            if target.hasPrefix("/") { path = "/" }
            rest += target.split(separator: "/").map(String.init).reversed()
        }
    }

    private static func checkParent(_ path: String) throws(Failure) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw Failure(system: "the state of \(Printable.text(path)) cannot be read")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(.unsuitable, "\(Printable.text(path)) above it is not a folder")
        }
        guard isTrusted(status.st_uid) else {
            throw Failure(.foreignOwner, "the folder \(Printable.text(path)) above it belongs to another user")
        }
        if status.st_mode & 0o1000 != 0 { return }
        let isOwnGroup = status.st_gid == geteuid() && status.st_gid == getegid()
        guard status.st_mode & 0o002 == 0, status.st_mode & 0o020 == 0 || isOwnGroup else {
            throw Failure(.tooOpen, "users other than the owner may change the folder \(Printable.text(path)) above it")
        }
    }

    private static func isTrusted(_ owner: uid_t) -> Bool { owner == 0 || owner == geteuid() }

    private static func parent(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    private static func absolute(_ path: String) throws(Failure) -> String {
        if path.hasPrefix("/") { return path }
        guard let current = getcwd(nil, 0) else { throw Failure(system: "the current folder cannot be determined") }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }

    private static func target(of link: String) throws(Failure) -> String {
        var length = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: pathLimit) { buffer, count in
            length = buffer.withMemoryRebound(to: CChar.self) { target in
                target.baseAddress.map { readlink(link, $0, target.count) } ?? -1
            }
            count = max(0, length)
        }
        guard length > 0, length < pathLimit else { throw Failure(system: "a link above it cannot be read") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
