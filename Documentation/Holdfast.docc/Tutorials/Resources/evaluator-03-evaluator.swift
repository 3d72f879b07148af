import HoldfastTrust

/// Refuses a certificate with a lifetime of more days than `maximumDays`.
struct LifetimeEvaluator: ServerTrustEvaluator {
    let maximumDays: Int64

    func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard let leaf = trust.presented.leaf, let begin = leaf.notBefore, let end = leaf.notAfter else {
            throw LifetimeError(description: "the certificate of \(host) cannot be read")
        }
        let days = (end.secondsSince1970 - begin.secondsSince1970) / 86_400
        guard days <= maximumDays else {
            throw LifetimeError(description: "the certificate is for \(days) days; at most \(maximumDays) are allowed")
        }
    }
}

struct LifetimeError: Error, CustomStringConvertible {
    let description: String
}
