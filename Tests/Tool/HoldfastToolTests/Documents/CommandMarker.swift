/// Specifies how the tests run a documented command: a comment in the Markdown source, which is invisible on the page.
///
///     <!-- command: holdfast serve chat | server; add --port 0 --json -->
///
/// The text before the last ` | ` is the beginning of the command. The longest matching marker applies. After it
/// follow, separated by `; `:
///
/// - `exit N`: the expected exit code, 0 by default
/// - `server`: the command runs until it is stopped; it has started when it prints its first line
/// - `add WORDS`: words to append to the command, such as a free port
/// - `A=B`: replaces `A` with `B` in the command
/// - `not run: REASON`: why a test cannot run the command
struct CommandMarker: Sendable {
    let beginning: String
    private(set) var exitCode: Int32 = 0
    private(set) var isServer = false
    private(set) var addition = ""
    private(set) var replacements: [(old: String, new: String)] = []
    private(set) var reason: String?

    /// Creates the default marker: the command runs unchanged, and its exit code is 0.
    init() {
        beginning = ""
    }

    /// Parses the text between `command:` and the end of the comment; `nil` if it is not a marker.
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

    /// Returns the command as a test runs it.
    func applied(to command: String) -> String {
        replacements.reduce(command) { $0.replacing($1.old, with: $1.new) } + addition
    }
}

extension StringProtocol {
    /// The text without surrounding white space.
    var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// Returns the rest of a text that begins with `prefix`.
    func behind(_ prefix: String) -> String? {
        hasPrefix(prefix) ? dropFirst(prefix.count).trimmed : nil
    }
}
