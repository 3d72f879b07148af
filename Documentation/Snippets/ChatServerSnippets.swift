import ChatDevServer
import Foundation
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/chat-server.md.
struct ChatServerSnippets {
    func sample1() async throws {
        let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
        var configuration = ChatDevServerConfiguration()
        configuration.tls = try authority.identity(for: .genuine)
        configuration.authority = authority
        configuration.databasePath = "chat.sqlite"
        configuration.script = try ChatServerScript(file: "faults.json")
        try await ChatDevServer.with(configuration) { server in
            let address = try await server.started()      // address.rest, address.webSocket, address.dataStore
        }
    }
}
