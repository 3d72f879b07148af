import HoldfastTestSupport
import HoldfastTrust
import Synchronization

/// The policies of a soak over TLS: the soak replaces one by the next. One of them refuses the servers for a while.
final class SoakPolicies: Sendable {
    /// The number of policies. The third one refuses the servers.
    private static let parts = 4
    private static let refusing = 2

    let holder: PolicyHolder
    private let policies: [PinningPolicy]
    private let part = Mutex(0)

    init(host: String, leaf: Identity, intermediate: Identity, other: Identity) throws {
        policies = try [leaf, intermediate, other, leaf].enumerated().map { number, identity in
            try PinningPolicy(
                name: "part \(number)",
                rules: [PinningRule(HostPattern(host), pins: PinSet([Pin(identity.spkiDigest)]))], backupPins: .off)
        }
        holder = PolicyHolder(policies[0])
    }

    /// The number of the policy in force.
    var current: Int { part.withLock(\.self) }

    /// Replaces the policy when request `number` of `count`, which is sent next, is the first of a new part. The part
    /// that refuses the servers is short.
    func proceed(to number: Int, of count: Int) {
        let starts = [0, count / 3, count / 2, count / 2 + count / 40]
        part.withLock { part in
            guard part + 1 < Self.parts, number >= starts[part + 1] else { return }
            part += 1
            holder.replace(with: policies[part])
        }
    }

    /// Returns whether a refusal and whether a success is permitted for a request that began and ended under these
    /// policies.
    ///
    /// A dial that was refused before a policy change also fails the requests that start to wait for it after the
    /// change.
    static func allows(from start: Int, to end: Int) -> (refusal: Bool, success: Bool) {
        ((max(0, start - 1)...max(start, end)).contains(refusing), !(start == refusing && end == refusing))
    }
}
