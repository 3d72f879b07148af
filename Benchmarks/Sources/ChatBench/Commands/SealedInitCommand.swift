import ArgumentParser
import CSandbox
import ChatCenter
import Foundation

/// Makes SDKs where the kernel kills a thread for any system call but `read` and `write` (seccomp's strict mode), which
/// ``InputOutput`` counts. That it lived to print `done` says that nothing was opened, looked at or connected. Linux only.
struct SealedInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sealed-init", shouldDisplay: false)
    static let proof = "done"

    @Option var count: Int
    @Option var folder: String
    /// A ``Site`` as JSON.
    @Option var site: String

    func run() throws {
        #if os(Linux)
        let site = try JSONDecoder().decode(Site.self, from: Data(self.site.utf8))
        let config = try site.config(URL(fileURLWithPath: folder))
        // Memory that was used before and is free need not be asked for.
        var warm = (0..<count * 4).map { _ in ChatCenterUISDK(providerUid: Site.providerUid, chatConfig: config) }
        let last = warm.removeLast()
        warm = []
        var kept: [ChatCenterUISDK] = []
        kept.reserveCapacity(count)
        let proof = Array("\(Self.proof)\n".utf8)
        guard forbid_system_calls() == 0 else { return print("not allowed") }
        for _ in 0..<count {
            kept.append(ChatCenterUISDK(providerUid: Site.providerUid, chatConfig: config))
        }
        _ = write(STDOUT_FILENO, proof, proof.count)
        withExtendedLifetime((kept, last)) {}
        // Leaving is a system call as well: the process ends here by the kernel's hand.
        #endif
    }
}
