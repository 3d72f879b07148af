/// What a verification checks. The defaults are the system verification; only the modes that document it check less.
struct VerificationOptions: Hashable, Sendable {
    /// The host that the server's certificate must be for; `nil` leaves the name out.
    var host: CanonicalHost?
    /// Whether validity dates count.
    var checksDates = true
    /// The number of intermediates that a path may have, self-issued ones not counted; `nil` for the budget's limit.
    var maximumIntermediates: Int?
    /// Lists in which the certificates of a path are looked up.
    var revocationLists: [RevocationList] = []
    var budget = VerificationBudget.standard
}
