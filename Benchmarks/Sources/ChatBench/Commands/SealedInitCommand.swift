import ArgumentParser
import CSandbox
import ChatBenchSupport
import ChatCenter
import Foundation

/// Creates SDKs while the kernel kills the process for any input or output of this thread.
///
/// This includes checking whether a file exists, which no other counter shows. If the process survives and prints
/// `done`, no input or output occurred. One of the SDKs is the first of the process. Linux only.
struct SealedInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sealed-init", shouldDisplay: false)
    static let proof = "done"

    @Option var count: Int
    @Option var folder: String
    /// The ``Site`` as JSON.
    @Option var site: String
    @Flag(help: "Also check for a file. The kernel must then kill the process.")
    var spoiled = false

    func run() throws {
        #if os(Linux)
        let site = try JSONDecoder().decode(Site.self, from: Data(self.site.utf8))
        let config = try site.config(URL(fileURLWithPath: folder))
        var kept: [ChatCenterUISDK] = []
        kept.reserveCapacity(count)
        let proof = Array("\(Self.proof)\n".utf8)
        guard forbid_input_and_output() == 0 else { return print("not allowed") }
        for _ in 0..<count {
            kept.append(ChatCenterUISDK(providerUid: Site.providerUid, chatConfig: config))
        }
        if spoiled { _ = access("/", F_OK) }
        _ = write(STDOUT_FILENO, proof, proof.count)
        withExtendedLifetime(kept) {}
        _exit(0)
        #endif
    }
}
