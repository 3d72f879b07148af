import Synchronization

/// The share of reports that should contain all certificates, as collectors request it under overload in
/// `Holdfast-Report-Sampling`. Other reports contain only the server's own certificate, so each failure still counts.
///
/// Each answer replaces the collector's earlier request; an answer without the field ends it. Kept in memory only.
final class ReportSampling: Sendable {
    /// The name of the header field.
    static let field = "Holdfast-Report-Sampling"
    /// The maximum number of collectors; a policy names a few. The sampling of further ones is ignored.
    private static let limit = 64

    /// By address, in hundredths below 100.
    private let shares = Mutex<[String: Int]>([:])

    /// Processes the field of an answer from a collector; `nil` if it is missing.
    func answered(_ url: String, _ field: String?) {
        let share = field.flatMap(Self.share)
        shares.withLock { shares in
            guard shares[url] != nil || shares.count < Self.limit else { return }
            shares[url] = share
        }
    }

    /// Returns whether the next report to a collector should contain only the server's own certificate. Draws a random
    /// number only if the collector requested sampling.
    func isReduced(_ url: String, entropy: () -> UInt64) -> Bool {
        guard let share = shares.withLock({ $0[url] }) else { return false }
        return Int(entropy() % 100) >= share
    }

    /// Reads a share from 0 to 1 with at most two digits after the point, as in `0.25`. Returns hundredths, or `nil`
    /// for 1 and for any other text: a mistake of a collector does not reduce reports.
    static func share(_ text: String) -> Int? {
        guard let digits = text.wholeMatch(of: #/0\.([0-9]{1,2})/#)?.1, let number = Int(digits) else {
            return text == "0" ? 0 : nil
        }
        return digits.count == 1 ? number * 10 : number
    }
}
