/// What a key file holds, as far as its first line says, for errors that name the command that converts it.
enum KeyFileContents: Hashable, Sendable {
    case privateKey
    case encryptedPrivateKey
    case openSSHPrivateKey
    case publicKey
    case certificate
    case certificationRequest
    case openSSHPublicKey
    /// DER, or a file that says nothing of itself.
    case other

    /// Looks at the labels of a file. Keeps nothing of its contents.
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

    /// What to do where a public key is expected; `nil` if the file may hold one.
    var adviceForPublicKey: String? {
        switch self {
        case .publicKey, .other: nil
        case .privateKey, .encryptedPrivateKey:
            "The file holds a private key, which belongs to the operator alone. "
                + "To make the public key: openssl pkey -in FILE -pubout -out FILE.pub"
        case .certificate:
            "The file holds a certificate. To get its public key: openssl x509 -in FILE -noout -pubkey > FILE.pub"
        case .certificationRequest:
            "The file holds a certification request. "
                + "To get its public key: openssl req -in FILE -noout -pubkey > FILE.pub"
        case .openSSHPrivateKey: "The file holds a private key of OpenSSH. " + KeyFileContents.keygen
        case .openSSHPublicKey: "The file holds a public key of OpenSSH. " + KeyFileContents.keygen
        }
    }

    /// What to do where a private key is expected; `nil` if the file may hold one.
    var adviceForPrivateKey: String? {
        switch self {
        case .privateKey: nil
        case .encryptedPrivateKey:
            "The private key is encrypted. To write it without its passphrase: openssl pkey -in FILE -out NEWFILE"
        case .openSSHPrivateKey: "The file holds a private key of OpenSSH. " + KeyFileContents.keygen
        case .publicKey, .openSSHPublicKey:
            "The file holds no private key, only a public one. Sign with the private key that was made with it."
        case .certificate, .certificationRequest:
            "The file holds no private key, only a certificate or a request for one."
        case .other:
            "The file holds no private key in PEM. To convert a key in DER: openssl pkey -inform DER -in FILE -out FILE.pem"
        }
    }

    private static let keygen = "To make a key pair for bundles: holdfast bundle keygen"
}
