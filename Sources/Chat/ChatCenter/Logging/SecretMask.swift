import Foundation

/// Removes secrets from log lines. This is a second safeguard: lines are composed without secrets.
///
/// An error of a server or of the system may repeat its input, also in the form of a URL or JSON.
struct SecretMask: Sendable {
    static let replacement = "‹redacted›"
    /// The minimum length of a secret. Shorter values occur within too many words.
    private static let shortest = 4

    /// Each secret in the forms in which it can occur in a line, longest first, because one can contain another.
    private var forms: [String] = []
    private var secrets: [String] = []
    private var credentials: [String] = []

    /// Adds values to remove from later lines. The number is limited, and the newest stay. Other values do not displace
    /// credentials.
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

    /// Returns the line without secrets.
    func masked(_ line: String) -> String {
        var line = line
        for form in forms where line.contains(form) { line = line.replacing(form, with: Self.replacement) }
        return line
    }
}
