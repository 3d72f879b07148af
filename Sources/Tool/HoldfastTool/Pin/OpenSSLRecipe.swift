/// The openssl command line that prints the same hash, so that users can verify Holdfast's output independently.
struct OpenSSLRecipe: Hashable {
    /// The source of the key.
    enum Origin: Hashable {
        /// A file, and whether it is DER rather than PEM.
        case file(String, isDER: Bool)
        /// Standard input.
        case standardInput(isDER: Bool)
        /// A PKCS #12 file, or standard input with `nil`, and the source of its password for openssl.
        case pkcs12(String?, password: String)
        /// A server, as `host:port`, and the server name to send (SNI); `nil` for an IP address.
        case server(String, serverName: String?)
    }

    /// The source of the key.
    var origin: Origin

    private static let hash = "openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | openssl base64"

    /// Returns the commands that create a backup key and write its public key to a file.
    ///
    /// - Parameter isRSA: Whether the server needs an RSA key.
    static func backupKey(isRSA: Bool) -> [String] {
        let kind = isRSA ? "RSA -pkeyopt rsa_keygen_bits:2048" : "EC -pkeyopt ec_paramgen_curve:P-256"
        return [
            "openssl genpkey -algorithm \(kind) -out backup-key.pem",
            "openssl pkey -in backup-key.pem -pubout -out backup-public.pem",
        ]
    }

    /// Returns the command for the `position`th item of this kind, counted from 1.
    func text(for kind: PinEntry.Kind, position: Int) -> String {
        var stages: [String] = []
        var input = ""
        switch origin {
        case .server(let address, let name):
            let name = name.map { "-servername \(ShellWord($0))" } ?? "-noservername"
            stages.append("openssl s_client -connect \(ShellWord(address)) \(name) -showcerts </dev/null 2>/dev/null")
            if position > 1 { stages.append(OpenSSLRecipe.pick(kind, position)) }
        case .file(let path, _) where position > 1:
            // openssl reads the first block of its kind.
            stages.append(OpenSSLRecipe.pick(kind, position) + " \(ShellWord(path))")
        case .file(let path, let isDER):
            input = " -in \(ShellWord(path))" + (isDER ? " -inform DER" : "")
        case .pkcs12(let path, let password):
            let file = path.map { "-in \(ShellWord($0)) " } ?? ""
            stages.append("openssl pkcs12 \(file)-nokeys -passin \(password)")
            if position > 1 { stages.append(OpenSSLRecipe.pick(kind, position)) }
        case .standardInput(let isDER):
            if position > 1 { stages.append(OpenSSLRecipe.pick(kind, position)) }
            if isDER { input = " -inform DER" }
        }
        switch kind {
        case .certificate: stages.append("openssl x509\(input) -noout -pubkey")
        case .certificationRequest: stages.append("openssl req\(input) -noout -pubkey")
        case .publicKey: stages.append("openssl pkey -pubin\(input)")
        }
        stages.append(OpenSSLRecipe.hash)
        return stages.joined(separator: " | ")
    }

    /// Returns a command that prints the PEM text from the `position`th block of a kind.
    private static func pick(_ kind: PinEntry.Kind, _ position: Int) -> String {
        let label =
            switch kind {
            case .certificate: "CERTIFICATE-"
            case .certificationRequest: "CERTIFICATE REQUEST-"
            case .publicKey: "PUBLIC KEY-"
            }
        return "awk '/BEGIN .*\(label)/{n++} n==\(position)'"
    }
}

extension OpenSSLRecipe.Origin: CustomStringConvertible {
    var description: String {
        switch self {
        case .file(let path, _): path
        case .standardInput: "standard input"
        case .pkcs12(let path, _): path ?? "standard input"
        case .server(let address, _): address
        }
    }
}

/// Quotes a word for a POSIX shell.
struct ShellWord: Hashable, CustomStringConvertible {
    /// The unquoted word.
    var text: String

    /// Creates a word.
    init(_ text: String) {
        self.text = text
    }

    var description: String {
        let plain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_./:@%+,[]".utf8.contains(byte)
        }
        // Brackets need no quotes within an address. Elsewhere in an existing path they are not a pattern.
        if plain, !text.isEmpty, !text.contains("[") { return text }
        return "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
