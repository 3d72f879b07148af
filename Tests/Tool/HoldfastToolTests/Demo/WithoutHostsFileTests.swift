#if os(Linux)
import Foundation
import Testing

/// Runs the demo without resolution of the name `localhost`, as on a fresh Debian root without `/etc/hosts`, and
/// without root's rights over the network.
@Suite("holdfast demo without a hosts file and without rights", .serialized) struct WithoutHostsFileTests {
    /// Runs a command in its own namespace with an empty hosts file.
    private static let starter = [
        "/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c",
        #"[ ! -e /etc/hosts ] || mount --bind /dev/null /etc/hosts && exec "$@""#, "sh",
    ]

    /// Whether this machine allows such a namespace, which many containers do not.
    private static var isPossible: Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: starter[0])
        process.arguments = starter.dropFirst() + ["/bin/true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test(.enabled(if: isPossible, "this machine allows no mount namespaces"), .timeLimit(.minutes(2)))
    func everyStepPasses() async throws {
        let folder = try TemporaryFolder()
        let demo = try ChildTool(["demo"], through: Self.starter, temporary: folder.path)
        demo.endInput()
        #expect(await demo.ending() == .exit(0), "\(demo.printed) \(demo.notes)")
        #expect(demo.printed.contains("steps have the expected result"))
    }
}
#endif
