import HoldfastTrust

/// A policy with the file that it came from.
struct ProbePolicy: Sendable {
    /// The file's name as it was given.
    var path: String
    /// What the file says, with positions.
    var document: PolicyDocument
    /// What it means.
    var policy: PinningPolicy

    /// Takes a document. Throws one sentence with every problem of it, each with its place in the file.
    init(_ document: PolicyDocument, path: String) throws(ToolError) {
        self.path = path
        self.document = document
        do throws(PolicyError) {
            policy = try document.policy()
        } catch {
            let problems = error.problems.map { problem in
                let text = "\(Printable.text(path)):\(problem)"
                return problem.position == nil ? "\(Printable.text(path)): \(problem)" : text
            }
            throw ToolError(problems.joined(separator: "; "))
        }
    }
}
