/// Something that is wrong with a certificate of a path.
///
/// A search meets thousands of problems and tells of one: a peer chooses how long its names are, so the finding with its
/// texts is made where it is told.
struct CertificateProblem {
    let code: TrustFinding.Code
    private let describe: () -> TrustFinding

    init(_ code: TrustFinding.Code, describe: @escaping () -> TrustFinding) {
        self.code = code
        self.describe = describe
    }

    /// What is told of the problem.
    var finding: TrustFinding { describe() }
}
