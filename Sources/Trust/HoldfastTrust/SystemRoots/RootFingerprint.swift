/// The state of every file and folder that was looked at for roots, taken before it was read.
///
/// It also knows what was missing: a bundle may appear where there was none. A file whose bytes are replaced in place
/// within the resolution of the file system's clock, size unchanged, is not noticed.
struct RootFingerprint: Hashable, Sendable {
    private var identities: [String: FileIdentity?] = [:]

    /// Looks at a path, symbolic links followed, and remembers what it saw; `nil` if there is nothing.
    mutating func look(at path: String) -> FileIdentity? {
        let identity = FileIdentity(path: path)
        identities[path] = .some(identity)
        return identity
    }

    /// Looks again at every path: whether all is as it was.
    var isCurrent: Bool {
        identities.allSatisfy { FileIdentity(path: $0.key) == $0.value }
    }
}
