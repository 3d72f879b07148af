import Foundation
import HoldfastLint
import HoldfastTestSupport
import HoldfastTrust

/// A package's folder for one test, removed with the last reference.
final class LintedPackage: Sendable {
    static let now = CertificateFactory.referenceTime
    static let pins = [SPKIDigest(hashing: [1]).base64, SPKIDigest(hashing: [2]).base64]

    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "holdfast-lint-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, and the folders above it.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Writes a text file, and the folders above it.
    func write(_ name: String, _ text: String) throws {
        try write(name, Array(text.utf8))
    }

    /// Writes a valid policy that ends after a number of days.
    func policy(_ name: String, days: Int64 = 1_000) throws {
        try write(name, Self.policy(days: days))
    }

    static func policy(days: Int64 = 1_000) -> String {
        """
        {"holdfast": 1, "name": "shop",
         "domains": [{"host": "example.com", "pins": ["\(pins[0])", "\(pins[1])"],
          "expires": "\(now.advanced(bySeconds: days * 86_400))"}]}
        """
    }

    /// Checks the package.
    func check(
        scope: [String] = [], days: Int? = nil, strict: Bool = false
    ) throws(LintFailure) -> PackageLinter.Outcome {
        let times = LintTimes(time: Self.now, days: days)
        return try PackageLinter(folder: path, scope: scope, times: times, strict: strict, roots: []).outcome()
    }

    /// Returns the reasons why the package cannot be checked; none if it can be.
    func reasons(scope: [String] = []) -> [String] {
        do throws(LintFailure) {
            _ = try check(scope: scope)
            return []
        } catch {
            return error.reasons
        }
    }
}
