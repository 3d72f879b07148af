import HTTPTypes

/// The cookie of a signed-in browser.
struct PageCookie: Hashable, Sendable {
    /// The cookie's name. With TLS, the prefix makes browsers refuse the cookie from any other host and without TLS
    /// (RFC 6265bis, 4.1.3.2).
    let name: String
    private let isSecure: Bool

    /// Creates the description of the cookie for an origin.
    init(_ origin: PageOrigin) {
        isSecure = origin.isSecure
        name = origin.isSecure ? "__Host-chat" : "chat"
    }

    /// Returns the value of a `Set-Cookie` field. It has no `Expires`, so that the browser forgets it at its end.
    func setting(_ value: String) -> String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// The value of a `Set-Cookie` field that removes the cookie.
    var removal: String { setting("") + "; Max-Age=0" }

    /// Returns the cookie's value in a request. Returns `nil` if there are several with different values: another host
    /// may have set one of them.
    func value(in fields: HTTPFields) -> String? {
        var found: Substring?
        for line in fields[values: .cookie] {
            for pair in line.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { continue }
                let value = pair[pair.index(after: equals)...]
                guard found == nil || found == value else { return nil }
                found = value
            }
        }
        return found.map(String.init)
    }
}
