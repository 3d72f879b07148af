import ArgumentParser
import CSandbox
import ChatCenter
import Foundation

/// Makes SDKs, the first of the process among them, where the kernel kills the process for any input or output of this
/// thread: even for a look whether a file is there, which no other count shows. That it lives to print `done` is the proof.
/// Linux only.
struct SealedInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sealed-init", shouldDisplay: false)
    static let proof = "done"

    @Option var count: Int
    @Option var folder: String
    /// A ``Site`` as JSON.
    @Option var site: String
    @Flag(help: "Looks for a file in between: then it has to die.")
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
