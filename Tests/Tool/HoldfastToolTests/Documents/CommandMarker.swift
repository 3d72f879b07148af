/// How the tests run a documented command: a comment in the Markdown source, which readers of the page do not see.
///
///     <!-- command: holdfast serve chat | server; add --port 0 --json -->
///
/// The text before the last ` | ` is the beginning of the command. The longest marker that fits applies. Behind it stand,
/// separated by `; `:
///
/// - `exit N`: the expected exit code, 0 by default
/// - `server`: the command runs until it is ended; it counts as started when it prints its first line
/// - `add WORDS`: words that are added to the command, such as a free port
/// - `A=B`: replaces `A` by `B` in the command
/// - `not run: REASON`: why a test cannot run it
struct CommandMarker: Sendable {
    let beginning: String
    private(set) var exitCode: Int32 = 0
    private(set) var isServer = false
    private(set) var addition = ""
    private(set) var replacements: [(old: String, new: String)] = []
    private(set) var reason: String?

    /// Without a comment: the command runs as it is, and ends with 0.
    init() {
        beginning = ""
    }

    /// Reads the text between `command:` and the end of the comment; `nil` if it is not a marker.
    init?(_ text: String) {
        guard let bar = text.ranges(of: " | ").last else { return nil }
        beginning = String(text[..<bar.lowerBound]).trimmed
        guard !beginning.isEmpty else { return nil }
        let marks = String(text[bar.upperBound...]).trimmed
        if let reason = marks.behind("not run: ") {
            self.reason = reason
            if reason.isEmpty { return nil }
            return
        }
        for mark in marks.split(separator: "; ").map({ String($0).trimmed }) {
            if mark == "server" {
                isServer = true
            } else if let words = mark.behind("add ") {
                addition += " " + words
            } else if let number = mark.behind("exit ") {
                guard let code = Int32(number) else { return nil }
                exitCode = code
            } else if let equals = mark.firstIndex(of: "="), equals != mark.startIndex {
                replacements.append((String(mark[..<equals]), String(mark[mark.index(after: equals)...])))
            } else {
                return nil
            }
        }
    }

    /// The command as a test runs it.
    func applied(to command: String) -> String {
        replacements.reduce(command) { $0.replacing($1.old, with: $1.new) } + addition
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// The rest of a text that begins with `prefix`.
    func behind(_ prefix: String) -> String? {
        hasPrefix(prefix) ? dropFirst(prefix.count).trimmed : nil
    }
}
