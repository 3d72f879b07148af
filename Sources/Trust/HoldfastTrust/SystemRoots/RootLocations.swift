/// Where the machine's roots are looked for.
struct RootLocations: Hashable, Sendable {
    /// Bundles. Of the well-known ones the first with a usable root counts; of the named ones all do.
    var files: [String]
    /// Folders with one certificate or more in each file. The well-known ones count only where no bundle did.
    var folders: [String]
    /// The environment variables that named the places; empty for the well-known ones.
    var variables: [String] = []

    static let fileVariable = "SSL_CERT_FILE"
    static let folderVariable = "SSL_CERT_DIR"

    /// Where distributions put the bundle.
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
    /// The places that OpenSSL's variables name, and no others, where one is set; else the well-known ones. An empty
    /// variable counts as not set. Folders are separated by colons.
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

    /// Whether environment variables named the places.
    var areNamed: Bool { !variables.isEmpty }
}
