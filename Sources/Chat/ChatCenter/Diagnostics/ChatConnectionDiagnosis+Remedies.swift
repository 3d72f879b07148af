extension ChatConnectionDiagnosis.Cause {
    /// What to do about it. The first four are the documented ones.
    var remedy: String {
        switch self {
        case .keysDiffer:
            "Switch on ChatLoggerConfig(logLevel: .all) and compare the lines “SSL Server public key:” with “SSL Pinned "
                + "certificate public key:”: at least one pair must be equal. The first form in a line is the raw key, the "
                + "SPKI hash beside it is what openssl prints. Somebody between the app and the server looks the same."
        case .keysRotated:
            "The server's certificate was exchanged, and this app does not hold the new one; or somebody stands between "
                + "the app and the server. Ask the server's operator. A backup certificate that was listed in time takes "
                + "over without an update: list the next certificate beside the current one (docs/rotation.md)."
        case .certificateMissing:
            "Look into target, Build Phases, Copy Bundle Resources: the file has to be in the list. The file's name is given "
                + "without its extension, and the extension as the second argument."
        case .transportSecurityDiffers:
            "Compare NSAppTransportSecurity in the Info.plist of both builds (holdfast lint FIRST SECOND). A server with a "
                + "valid certificate needs no such setting at all."
        case .certificateUnreadable:
            "Convert PEM with: openssl x509 -in cert.pem -outform DER -out cert.cer"
        case .noUsableCertificates:
            "Every connection is refused until one trusted certificate can be read. "
                + "ChatSSLCertificate(loading:) and SSLPinningConfig(requiring:) throw where a file is unusable."
        case .trustedKeysChanged:
            "The server is the one of before; the app's trusted certificates are not. Add the certificate that is in use."
        case .hostDiffers:
            "Check the host in ChatTransportConfig, and the names in the server's certificate."
        case .certificateOutOfDate:
            "Check this device's clock; the server's operator has to renew the certificate."
        case .issuerUnknown:
            "The server has to send its intermediate certificates; a private authority has to be installed on the device "
                + "or listed in trustedCertificates."
        case .certificateRefused: "The finding says which rule the server's certificate breaks."
        case .handshakeFailed: "The server has to offer TLS 1.2 or later with ECDHE and an AEAD cipher."
        case .addressesUnusable:
            "ChatTransportConfig(validating:webSocket:dataStore:) throws every problem with its reason."
        case .unreachable: "Check the network and the addresses. The chat tries again by itself."
        }
    }
}
