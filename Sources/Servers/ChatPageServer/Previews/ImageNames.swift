import HoldfastBase

/// The names of proxied pictures: an authentication code, and the URL. Only the server can create a name, so that
/// nobody can make it fetch a URL of their choice.
struct ImageNames: Sendable {
    private static let purpose = "image"
    private static let codeLength = 64

    private let key: ServerKey

    /// Creates names with a server's key.
    init(_ key: ServerKey) {
        self.key = key
    }

    /// Returns the name of a URL; `nil` if the server would not fetch it.
    func name(of url: String) -> String? {
        guard PreviewAddress.url(url) != nil else { return nil }
        return key.code(Self.purpose, url) + Array(url.utf8).hexadecimal
    }

    /// Returns the URL of a name; `nil` if this server did not create the name.
    func url(of name: String) -> String? {
        guard name.utf8.count <= Self.codeLength + 2 * PreviewAddress.maximumLength else { return nil }
        let code = String(name.prefix(Self.codeLength))
        guard let url = Self.text(name.dropFirst(Self.codeLength)), key.isValid(code, Self.purpose, url) else {
            return nil
        }
        return url
    }

    private static func text(_ digits: Substring) -> String? {
        let values = digits.utf8.map { byte -> UInt8? in
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x61...0x66: byte - 0x61 + 10
            default: nil
            }
        }
        guard values.count.isMultiple(of: 2), !values.contains(nil) else { return nil }
        let bytes = stride(from: 0, to: values.count, by: 2).map { (values[$0] ?? 0) << 4 | (values[$0 + 1] ?? 0) }
        return String(validating: bytes, as: UTF8.self)
    }
}
