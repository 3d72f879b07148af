/// The locations of the machine's root certificates.
struct RootLocations: Hashable, Sendable {
    /// The bundles. Of the well-known bundles, only the first one with a usable root is used. Of the named bundles, all
    /// are used.
    var files: [String]
    /// The folders whose files each contain one or more certificates. The well-known folders are used only if no bundle
    /// has a usable root.
    var folders: [String]
    /// The environment variables that named the locations; empty for the well-known locations.
    var variables: [String] = []

    static let fileVariable = "SSL_CERT_FILE"
    static let folderVariable = "SSL_CERT_DIR"

    /// The locations at which Linux distributions install the bundle.
    static let wellKnown = RootLocations(
        files: [
            "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Gentoo
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL, Amazon Linux
            "/etc/pki/tls/certs/ca-bundle.crt",  // older Fedora and RHEL
            "/etc/ssl/ca-bundle.pem",  // SUSE
            "/etc/pki/tls/cacert.pem",  // OpenELEC
            "/etc/ssl/cert.pem",  // Alpine
        ],
        folders: ["/etc/ssl/certs", "/etc/pki/tls/certs"])
}

extension RootLocations {
    /// Creates the locations from OpenSSL's environment variables. If a variable is set, only the named locations are
    /// used; otherwise the well-known ones. An empty variable counts as not set. Colons separate folders.
    init(environment: [String: String]) {
        let file = environment[Self.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
        let folders = environment[Self.folderVariable]?.split(separator: ":").map(String.init) ?? []
        guard file != nil || !folders.isEmpty else {
            self = .wellKnown
            return
        }
        self.files = file.map { [$0] } ?? []
        self.folders = folders
        self.variables = (file == nil ? [] : [Self.fileVariable]) + (folders.isEmpty ? [] : [Self.folderVariable])
    }

    /// Whether environment variables named the locations.
    var areNamed: Bool { !variables.isEmpty }
}
