/// The openssl command line that prints the same hash, so that users can verify Holdfast's output independently.
struct OpenSSLRecipe: Hashable {
    /// The source of the key.
    enum Origin: Hashable {
        /// A file, and whether it is DER rather than PEM.
        case file(String, isDER: Bool)
        /// Standard input.
        case standardInput(isDER: Bool)
        /// A server, as `host:port`, and the server name to send (SNI); `nil` for an IP address.
        case server(String, serverName: String?)
    }

    /// The source of the key.
    var origin: Origin

    private static let hash = "openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | openssl base64"

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
        case .server(let address, _): address
        }
    }
}
