import ArgumentParser
import BenchSupport
import ChatBenchSupport
import ChatCenter
import Foundation

/// Measures the memory of an SDK. A run starts this command in a child process. Prints ``MemoryFigures``.
struct MemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "memory", shouldDisplay: false)

    @Option var user: String
    @Option var folder: String
    @Flag(help: "Load older pages until the screen is full.")
    var paging = false
    /// The ``Site`` as JSON.
    @Option var site: String

    func run() async throws {
        let site = try JSONDecoder().decode(Site.self, from: Data(self.site.utf8))
        let folder = URL(fileURLWithPath: self.folder)
        let config = try site.config(folder)
        // The concurrency library's streams and clocks do not count as memory of the SDK.
        try await Task.sleep(for: .milliseconds(50))
        let before = Memory.now()
        let sdk = ChatCenterUISDK(providerUid: Site.providerUid, chatConfig: config)
        // Without this, the SDK would be released after its last use and would stop.
        defer { withExtendedLifetime(sdk) {} }
        let made = Memory.now()
        try await sdk.authorize(ChatUser(identifier: user))
        let screen = try sdk.getChat()
        screen.viewDidAppear()
        try await screen.wait(for: "a connection") { $0.connection == .ready }
        try await Task.sleep(for: .seconds(1))
        var figures = MemoryFigures(before: before, made: made, ready: .now())
        if paging {
            try await page(screen)
            try await Task.sleep(for: .seconds(1))
            figures.paged = .now()
        }
        figures.rows = screen.state.messages.count
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    }

    private func page(_ screen: ChatScreen) async throws {
        while true {
            let count = screen.state.messages.count
            screen.loadOlder()
            do {
                // A full screen or the beginning of the history is not a failure: no older messages arrive then.
                let states = screen.states
                try await before(.seconds(2), "older messages") {
                    for await state in states where state.messages.count > count { return }
                }
            } catch is Unanswered {
                return
            }
        }
    }
}
