/// Takes secrets out of a line that were not to be in it: the last gate, behind lines that hold none by the way they are
/// made. An error of a server or of the system may repeat what it was given.
struct SecretMask: Sendable {
    static let replacement = "‹redacted›"
    /// Shorter values are part of too many words.
    private static let shortest = 4

    private var secrets: [String] = []

    /// What must not be in a line from now on, beside what must not be already. Bounded: the newest stay.
    mutating func add(_ values: [String?]) {
        for value in values.compactMap(\.self) where value.count >= Self.shortest {
            secrets.removeAll { $0 == value }
            secrets.append(value)
        }
        if secrets.count > 256 { secrets.removeFirst(secrets.count - 256) }
    }

    /// The line without secrets. The longest go first: one may be part of another.
    func masked(_ line: String) -> String {
        var line = line
        for secret in secrets.sorted(by: { $0.count > $1.count }) where line.contains(secret) {
            line = line.replacing(secret, with: Self.replacement)
        }
        return line
    }
}
