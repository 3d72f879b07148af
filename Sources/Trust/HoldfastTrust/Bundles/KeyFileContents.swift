/// The kind of a key file according to its PEM label. Errors use it to name the command that converts the file.
enum KeyFileContents: Hashable, Sendable {
    case privateKey
    case encryptedPrivateKey
    case openSSHPrivateKey
    case publicKey
    case certificate
    case certificationRequest
    case openSSHPublicKey
    /// DER, or a file without a known label.
    case other

    /// Reads the labels of a file. Does not keep its contents.
    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes.prefix(64 * 1024), as: UTF8.self)
        let labels = text.split(whereSeparator: \.isNewline).compactMap { line -> Substring? in
            guard line.hasPrefix("-----BEGIN "), line.hasSuffix("-----") else { return nil }
            return line.dropFirst(11).dropLast(5)
        }
        let privateLabel = labels.first { $0.hasSuffix("PRIVATE KEY") }
        self =
            if let privateLabel {
                if privateLabel == "OPENSSH PRIVATE KEY" {
                    .openSSHPrivateKey
                } else if privateLabel.hasPrefix("ENCRYPTED") || text.contains("Proc-Type: 4,ENCRYPTED") {
                    .encryptedPrivateKey
                } else {
                    .privateKey
                }
            } else if labels.contains(where: { $0.hasSuffix("PUBLIC KEY") }) {
                .publicKey
            } else if labels.contains(where: { $0.hasSuffix("CERTIFICATE REQUEST") }) {
                .certificationRequest
            } else if labels.contains(where: { $0.hasSuffix("CERTIFICATE") }) {
                .certificate
            } else if text.hasPrefix("ssh-") || text.hasPrefix("ecdsa-sha2-") {
                .openSSHPublicKey
            } else {
                .other
            }
    }

    /// What to do if a public key is expected, or `nil` if the file may contain one.
    var adviceForPublicKey: String? {
        switch self {
        case .publicKey, .other: nil
        case .privateKey, .encryptedPrivateKey:
            "The file contains a private key, which must stay with the operator. "
                + "To extract the public key: openssl pkey -in FILE -pubout -out FILE.pub"
        case .certificate:
            "The file contains a certificate. "
                + "To extract its public key: openssl x509 -in FILE -noout -pubkey > FILE.pub"
        case .certificationRequest:
            "The file contains a certificate signing request. "
                + "To extract its public key: openssl req -in FILE -noout -pubkey > FILE.pub"
        case .openSSHPrivateKey: "The file contains an OpenSSH private key. " + KeyFileContents.keygen
        case .openSSHPublicKey: "The file contains an OpenSSH public key. " + KeyFileContents.keygen
        }
    }

    /// What to do if a private key is expected, or `nil` if the file may contain one.
    var adviceForPrivateKey: String? {
        switch self {
        case .privateKey: nil
        case .encryptedPrivateKey:
            "The private key is encrypted. To write it without a passphrase: openssl pkey -in FILE -out NEWFILE"
        case .openSSHPrivateKey: "The file contains an OpenSSH private key. " + KeyFileContents.keygen
        case .publicKey, .openSSHPublicKey:
            "The file contains a public key. Sign with the matching private key."
        case .certificate, .certificationRequest:
            "The file contains a certificate or a certificate signing request, but not a private key."
        case .other:
            "The file does not contain a private key in PEM. "
                + "To convert a DER key: openssl pkey -inform DER -in FILE -out FILE.pem"
        }
    }

    private static let keygen = "To create a key pair for bundles: holdfast bundle keygen"
}
