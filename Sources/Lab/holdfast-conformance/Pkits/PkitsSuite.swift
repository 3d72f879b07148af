/// One test case of NIST's PKITS, as far as a TLS client's verifier is concerned.
struct PkitsCase: Decodable {
    /// The suite's number, as in `PKITS 4.3.10`.
    var id: String
    var title: String
    /// What the suite expects where the revocation lists of the whole path are looked at.
    var valid: Bool
    var anchor: String
    /// The certificates in PEM, the server's own first.
    var chain: [String]
    /// The revocation lists in PEM.
    var crls: [String]
    var host: String
    var time: String

    /// The section of the suite, as in `4.3`.
    var section: String {
        let number = id.split(separator: " ").last ?? ""
        return number.split(separator: ".").prefix(2).joined(separator: ".")
    }
}
