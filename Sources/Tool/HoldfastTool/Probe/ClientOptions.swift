import ArgumentParser
import HoldfastBase
import HoldfastNIO
import HoldfastTrust

/// The options of commands that talk to one server: which server they accept, and with which certificate they
/// authenticate.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A key that the server's chain must contain, in addition to the system verification. Repeatable.",
            valueName: "sha256/base64"))
    var pin: [String] = []

    @Option(
        help: ArgumentHelp("Trust only this folder's certificates, as an app ships them.", valueName: "folder"),
        completion: .directory)
    var trustedCertificates: String?

    @Option(
        help: ArgumentHelp("The client certificate chain (PEM), for a server that requests one.", valueName: "file"),
        completion: .file())
    var cert: String?

    @Option(
        help: ArgumentHelp("The certificate's private key (PEM, unencrypted).", valueName: "file"), completion: .file())
    var key: String?

    func validate() throws {
        try check((cert == nil) == (key == nil), "--cert and --key must be given together.")
    }

    /// Throws a usage error if these options contradict those of the connection.
    func validate(with connection: ConnectionOptions) throws {
        let judges = [!pin.isEmpty, connection.policy != nil, trustedCertificates != nil]
        try check(judges.count(where: \.self) < 2, "--pin, --policy and --trusted-certificates cannot be combined.")
        try check(
            trustedCertificates == nil || connection.trustAnchors == nil,
            "--trusted-certificates and --trust-anchors cannot be combined: only the folder's certificates are trusted."
        )
    }

    /// Returns the trust for a server. Prints a warning if the policy does not name the server. Throws one sentence.
    ///
    /// - Parameters:
    ///   - isSecure: Whether the URL uses TLS. Without TLS, an option about certificates is an error.
    ///   - scheme: The scheme with TLS, for the error.
    func trust(
        for server: ProbeTarget, isSecure: Bool, scheme: String, with connection: ConnectionOptions,
        on console: Console
    ) throws -> ProbeTrust {
        if !isSecure, let option = optionOfTLS(connection) {
            throw ToolError("\(option) applies to TLS: the URL must begin with \(scheme):", status: .usage)
        }
        if !pin.isEmpty { return .pins(try PinArgument.policy(pin, for: [server.host])) }
        if let trustedCertificates { return .certificates(try ProbeShelf(path: trustedCertificates)) }
        guard let policy = try connection.policy(on: console) else { return .system }
        let trust = ProbeTrust.policy(policy)
        if !trust.hasRule(for: server.host, at: connection.input.time) {
            console.note("warning: the policy has no rule for \(server.host)")
        }
        return trust
    }

    /// Returns the certificate and key of the client, if they were given. Throws one sentence.
    func identity() throws(ToolError) -> ClientIdentity? {
        guard let cert, let key else { return nil }
        do throws(ClientIdentityError) {
            return try ClientIdentity(certificateFile: cert, privateKeyFile: key)
        } catch {
            throw ToolError("--cert and --key: \(Printable.text(error.reason))")
        }
    }

    /// The first given option that has no effect without TLS.
    private func optionOfTLS(_ connection: ConnectionOptions) -> String? {
        let options = [
            ("--pin", !pin.isEmpty), ("--policy", connection.policy != nil),
            ("--trusted-certificates", trustedCertificates != nil),
            ("--trust-anchors", connection.trustAnchors != nil), ("--at", connection.input.at != nil),
            ("--cert", cert != nil),
        ]
        return options.first { $0.1 }?.0
    }
}
