extension SignedBundle {
    /// What a payload says of itself.
    package struct Claims: Hashable, Sendable {
        /// The application that the bundle is for.
        package var application: String
        /// The version.
        package var version: Int64
    }

    /// Reads the payload without verifying its signature, for the operator's tools. An app must not use it.
    ///
    /// Throws ``BundleError`` `malformed`.
    package func unverifiedClaims() throws(BundleError) -> Claims {
        let fields = try SignedBundle.fields(
            of: payload, allowed: ["application", "version", "notBefore", "notAfter", "policy"])
        guard case .string(let application) = fields["application"], case .number(let digits) = fields["version"],
            let version = Int64(digits)
        else { throw BundleError(.malformed, "The payload has no application or no version.") }
        return Claims(application: application, version: version)
    }
}
