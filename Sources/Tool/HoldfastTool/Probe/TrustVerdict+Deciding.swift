import HoldfastTrust

extension TrustVerdict {
    /// What lets the server through, or refuses it: where no pin applies, a refusal is the system verification's.
    var decidingFinding: TrustFinding {
        decision == .notPinned && !permitsConnection ? systemFinding ?? finding : finding
    }
}
