import Foundation

/// Takes secrets out of a line that were not to be in it: the last gate, behind lines that hold none by the way they are
/// made. An error of a server or of the system may repeat what it was given, also as it stands in a URL or in JSON.
struct SecretMask: Sendable {
    static let replacement = "‹redacted›"
    /// Shorter values are part of too many words.
    private static let shortest = 4

    /// Each in the forms in which a line may have it, the longest first: one may be part of another.
    private var forms: [String] = []
    private var secrets: [String] = []
    private var credentials: [String] = []

    /// What must not be in a line from now on, beside what must not be already. Bounded: the newest stay. Credentials are
    /// not driven out by others.
    mutating func add(_ values: [String?], isCredential: Bool = false) {
        if isCredential {
            Self.add(values, to: &credentials, limit: 64)
        } else {
            Self.add(values, to: &secrets, limit: 256)
        }
        forms = Set((secrets + credentials).flatMap(Self.forms)).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    private static func add(_ values: [String?], to list: inout [String], limit: Int) {
        for value in values.compactMap(\.self) where value.count >= shortest {
            list.removeAll { $0 == value }
            list.append(value)
        }
        if list.count > limit { list.removeFirst(list.count - limit) }
    }

    private static func forms(of secret: String) -> [String] {
        let json = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("/", with: "\\/")
        let url = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        let path = secret.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        return [secret, json, url ?? secret, path ?? secret]
    }

    /// The line without secrets.
    func masked(_ line: String) -> String {
        var line = line
        for form in forms where line.contains(form) { line = line.replacing(form, with: Self.replacement) }
        return line
    }
}
