import HoldfastTrust

/// The bundle that apps have now, which says where the next version has to begin.
struct PreviousBundle {
    /// The most that a version may grow at once. A version that is too high cannot be taken back: apps refuse all below it.
    static let largestStep: Int64 = 1_000_000

    private let path: String
    private let contents: SignedBundle.Claims

    /// Reads a bundle. Its signature is not verified: another key of the operator may have made it.
    init(path: String) throws {
        self.path = path
        let bytes = try InputFile(path: path).readAll(limit: SignedBundle.maximumSize)
        do throws(BundleError) {
            contents = try SignedBundle(bytes).unverifiedClaims()
        } catch {
            throw ToolError("--previous '\(path)': \(error.reason)")
        }
    }

    /// Throws unless `version` may follow for this application.
    func check(_ version: Int64, for application: String, allowsJump: Bool) throws(ToolError) {
        guard contents.application == application else {
            throw ToolError(
                "'\(path)' is for the application '\(Printable.text(contents.application))', not for '\(application)'")
        }
        guard version > contents.version else {
            throw ToolError(
                "version \(version) is not above version \(contents.version) of '\(path)': apps would refuse it. "
                    + "The next one is \(contents.version + 1)")
        }
        guard allowsJump || version - contents.version <= PreviousBundle.largestStep else {
            throw ToolError(
                "version \(version) is more than \(PreviousBundle.largestStep) above version \(contents.version) of "
                    + "'\(path)', and apps that take it refuse every lower version for good. "
                    + "If that is intended, add --allow-version-jump")
        }
    }
}
