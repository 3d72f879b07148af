/// A pattern for paths within a package, such as `Policies/*.json` or `**/Info.plist`.
///
/// `*` and `?` stand for characters of one name, and `**` for any number of folders. Matching takes time proportional
/// to the product of both lengths, so that a pattern cannot slow down a build.
package struct PathPattern: Hashable, Sendable {
    /// The maximum length of a pattern in bytes.
    ///
    /// - Error: exit code 2
    package static let lengthLimit = 1_024

    /// The pattern as written.
    package let text: String
    private let parts: [[Character]]

    /// Creates a pattern. Throws one sentence if the text is not a relative path without `.` and `..`.
    package init(_ text: String) throws(LintFailure) {
        let body = text.hasSuffix("/") ? String(text.dropLast()) : text
        let names = body.split(separator: "/", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.lengthLimit else {
            throw LintFailure("the path has more than \(Self.lengthLimit) bytes")
        }
        guard !body.isEmpty, !body.hasPrefix("/"), !body.utf8.contains(0) else {
            throw LintFailure("the path is not relative to the package's folder")
        }
        guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw LintFailure("the path contains an empty name, . or ..")
        }
        self.text = text
        parts = names.map(Array.init)
    }

    /// Returns whether the whole path matches.
    package func matches(_ path: String) -> Bool { match(path, includesContents: false) }

    /// Returns whether the path matches, or a folder above it.
    package func covers(_ path: String) -> Bool { match(path, includesContents: true) }

    private func match(_ path: String, includesContents: Bool) -> Bool {
        // The number of parts that the names so far can match.
        var reached: Set<Int> = [0]
        skipEmptyRuns(&reached)
        for name in path.split(separator: "/").map(Array.init) {
            var next: Set<Int> = []
            for index in reached where index < parts.count {
                if parts[index] == Self.anyFolders {
                    next.insert(index)
                } else if Self.isMatch(parts[index], name) {
                    next.insert(index + 1)
                }
            }
            reached = next
            skipEmptyRuns(&reached)
            if includesContents, reached.contains(parts.count) { return true }
        }
        return reached.contains(parts.count)
    }

    /// Lets `**` match no folder.
    private func skipEmptyRuns(_ reached: inout Set<Int>) {
        for index in parts.indices where reached.contains(index) && parts[index] == Self.anyFolders {
            reached.insert(index + 1)
        }
    }

    private static let anyFolders: [Character] = ["*", "*"]

    /// Compares one name. After a mismatch, only the last star can match more characters.
    private static func isMatch(_ pattern: [Character], _ name: [Character]) -> Bool {
        var (at, position) = (0, 0)
        var star: (at: Int, position: Int)?
        while position < name.count {
            if at < pattern.count, pattern[at] == "*" {
                star = (at, position)
                at += 1
            } else if at < pattern.count, pattern[at] == "?" || pattern[at] == name[position] {
                at += 1
                position += 1
            } else if let last = star {
                star = (last.at, last.position + 1)
                (at, position) = (last.at + 1, last.position + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == "*" }
    }
}
