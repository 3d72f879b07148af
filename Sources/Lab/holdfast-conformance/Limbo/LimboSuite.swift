/// The test cases of C2SP/x509-limbo, as far as a TLS client's verifier is concerned.
struct LimboSuite: Decodable {
    /// The name that the certificate must be for.
    struct PeerName: Decodable {
        var kind: String
        var value: String
    }

    /// One case.
    struct Case: Decodable {
        var id: String
        var validationKind: String?
        var trustedCertificates: [String]
        var untrustedIntermediates: [String]
        var peerCertificate: String
        var validationTime: String?
        var expectedPeerName: PeerName?
        var maximumChainDepth: Int?
        var revocationLists: [String]?
        var expectedResult: String

        enum CodingKeys: String, CodingKey {
            case id
            case validationKind = "validation_kind"
            case trustedCertificates = "trusted_certs"
            case untrustedIntermediates = "untrusted_intermediates"
            case peerCertificate = "peer_certificate"
            case validationTime = "validation_time"
            case expectedPeerName = "expected_peer_name"
            case maximumChainDepth = "max_chain_depth"
            case revocationLists = "crls"
            case expectedResult = "expected_result"
        }
    }

    var testcases: [Case]
}
