public import HoldfastTrust
import PinReportDesk

/// A roll-out that the collector watches: a bundle with stages, and the number of installations of its application.
///
/// The collector compares the failures of installations with the bundle's version with those of all others. The desk
/// shows the decision for each stage.
public struct ReportRollout: Sendable {
    /// The maximum number of roll-outs.
    ///
    /// - Error: `ReportCollectorError.Code.invalidConfiguration`
    public static let limit = 16

    /// The name of the bundle's file.
    public let name: String
    let plan: RolloutPlan
    let known: KnownPolicy
    let bundle: SignedBundle

    /// Reads a bundle with stages. Its signature is not verified, because apps do that.
    ///
    /// - Parameters:
    ///   - name: The name of the roll-out on the pages of the desk.
    ///   - contents: The bytes of the signed bundle.
    ///   - fleet: The number of installations of the application, which use the bundle or not.
    ///   - cohorts: The number of installations with the bundle after each stage has begun, in the order of the stages.
    ///     Without them, the shares of the stages apply to the fleet. Stages for some app versions or platforms need
    ///     them.
    /// - Throws: ``ReportCollectorError/Code/invalidConfiguration``.
    public init(
        name: String, contents: [UInt8], fleet: Int, cohorts: [Int] = []
    ) throws(ReportCollectorError) {
        do throws(RolloutPlan.Refusal) {
            plan = try RolloutPlan(name: name, contents: contents, fleet: fleet, cohorts: cohorts)
        } catch {
            throw ReportCollectorError(.invalidConfiguration, error.reason)
        }
        guard let known = KnownPolicy(name: name, contents: contents), let bundle = try? SignedBundle(contents) else {
            throw ReportCollectorError(
                .invalidConfiguration, "The policy of the bundle \(name) has errors. Check it with holdfast lint.")
        }
        self.name = name
        self.known = known
        self.bundle = bundle
    }
}

/// A key for halts, and the file at which the collector publishes a halt if the roll-out must stop.
///
/// A halt can only delay a roll-out: see `docs/decisions/0020-staged-rollouts.md`. Never give the collector a key that
/// signs bundles.
public struct ReportHaltOutput: Sendable, CustomStringConvertible, CustomReflectable {
    /// The path of the halt file, which a web server publishes next to the bundle.
    public let path: String
    let signer: BundleSigningKey
    let verifier: BundleHaltKey

    /// Creates an output. Does not access the file.
    ///
    /// - Throws: ``ReportCollectorError/Code/invalidConfiguration`` for an unusable key or path.
    public init(key: BundleSigningKey, path: String) throws(ReportCollectorError) {
        guard !path.isEmpty, path.utf8.count <= 4_000, !path.hasSuffix("/"), !path.utf8.contains(0) else {
            throw ReportCollectorError(.invalidConfiguration, "The path of the halt file is not valid.")
        }
        do throws(BundleError) {
            verifier = try BundleHaltKey(id: key.id, publicKey: Array(key.publicKeyPEM.utf8))
        } catch {
            throw ReportCollectorError(.invalidConfiguration, "The halt key cannot be used: \(error.reason)")
        }
        self.path = path
        signer = key
    }

    /// Returns a halt that the key has signed for an application; `nil` for anything else.
    func verified(_ bytes: [UInt8], application: String) -> BundleHalt? {
        try? BundleHalt(bytes, keys: [verifier], application: application)
    }

    /// A fixed text without the key.
    public var description: String { "<halt output>" }
    /// A mirror without children, so that a dump does not contain the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
