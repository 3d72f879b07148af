import Foundation
import HoldfastTestSupport
import HoldfastTransportTestSupport

/// The other verifiers. A Python script of this repository calls them.
package struct ReferenceJudges: Sendable, Decodable {
    /// The version of OpenSSL; `nil` if it is missing.
    package var openssl: String?
    /// The version of pyca/cryptography; `nil` if it is missing.
    package var pyca: String?
    package var opensslMissing: String?
    package var pycaMissing: String?

    /// The reasons of the verifiers for one case. A verifier that did not judge the case is not listed; an accepted
    /// case has no reason.
    package typealias Reasons = [String: String?]

    private static let script = Repository.path("scripts/differential.py")

    /// Returns the installed verifiers; `nil` if there is no Python.
    package static func installed() async -> ReferenceJudges? {
        guard let result = try? await PeerProgram.python3.run(["-B", script]), result.status == 0 else { return nil }
        return try? JSONDecoder().decode(ReferenceJudges.self, from: Data(result.output.utf8))
    }

    /// Judges cases in a process of its own. The cases and the results are files in a temporary folder.
    func judge(_ cases: [DifferentialCase]) async throws -> [Reasons] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-differential-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let encoder = JSONEncoder()
        var lines = Data()
        for item in cases {
            lines += try encoder.encode(item)
            lines.append(0x0A)
        }
        let (input, output) = (folder.appending(path: "cases"), folder.appending(path: "results"))
        try lines.write(to: input)
        let status = try await PeerProgram.python3.run(["-B", Self.script, input.path, output.path]).status
        guard status == 0 else { throw ReferenceError("scripts/differential.py failed with exit code \(status).") }
        let results = try Data(contentsOf: output).split(separator: 0x0A)
        guard results.count == cases.count else {
            throw ReferenceError("scripts/differential.py judged \(results.count) of \(cases.count) cases.")
        }
        return try results.map { try JSONDecoder().decode([String: String?].self, from: $0) }
    }
}

/// The reason why the references could not judge cases.
package struct ReferenceError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
