import ChatCenter
import Foundation

@main struct Support {
    static func main() async throws {
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        let server = ChatTransportConfig(cloudHost: "http://localhost:8476")
        var config = ChatConfig(transportConfig: server)
        config.storageDirectory = here.appending(path: "data")
        let chat = ChatCenterUISDK(providerUid: "tutorial", chatConfig: config)
        let events = chat.events
        chat.authorize(user: ChatUser(identifier: "anna-7f3c"))

        let screen = try chat.getChat()
        screen.viewDidAppear()
        _ = try await screen.send(CommandLine.arguments.dropFirst().joined(separator: " "))
        for await event in events {
            if case .messagesReceived = event, let answer = screen.state.messages.last?.text {
                print("answer: \(answer)")
                return
            }
        }
    }
}
