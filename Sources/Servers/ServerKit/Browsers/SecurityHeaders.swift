package import HTTPTypes

/// The header fields that every response to a browser has, also an error.
package enum SecurityHeaders {
    /// Only scripts, styles, pictures and connections of the server's own origin. No inline code.
    package static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; "
        + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// For files of clients and operators: a browser that shows one runs nothing and loads nothing.
    package static let filePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

    private static let fixed: [(name: String, value: String)] = [
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=(self)"),
    ]

    /// Adds the fields. A policy and a caching rule that are already set stay.
    package static func add(to fields: inout HTTPFields, isSecure: Bool = false) {
        for (text, value) in fixed {
            if let name = HTTPField.Name(text) { fields[name] = value }
        }
        if !fields.contains(.contentSecurityPolicy) { fields[.contentSecurityPolicy] = contentSecurityPolicy }
        if !fields.contains(.cacheControl) { fields[.cacheControl] = "no-store" }
        if isSecure { fields[.strictTransportSecurity] = "max-age=31536000" }
    }
}
