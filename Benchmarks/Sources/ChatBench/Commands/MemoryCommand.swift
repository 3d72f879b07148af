import ArgumentParser
import BenchSupport
import ChatCenter
import Foundation

/// What a run starts in a process of its own to weigh an SDK. Prints ``MemoryFigures``.
struct MemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "memory", shouldDisplay: false)

    @Option var user: String
    @Option var folder: String
    @Flag(help: "Pages back until the screen holds no more.")
    var paging = false
    /// A ``Site`` as JSON.
    @Option var site: String

    func run() async throws {
        let site = try JSONDecoder().decode(Site.self, from: Data(self.site.utf8))
        let folder = URL(fileURLWithPath: self.folder)
        let config = try site.config(folder)
        // The streams and clocks of the concurrency library are no part of the SDK.
        try await Task.sleep(for: .milliseconds(50))
        let before = Memory.now()
        let sdk = ChatCenterUISDK(providerUid: Site.providerUid, chatConfig: config)
        // It would be freed after its last use otherwise, and end everything.
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
                // As many as a screen holds, or all there are, are not a failure: nothing comes then.
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
