import ChatDevServer
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/operator-desk.md.
struct OperatorDeskSnippets {
    func sample1(configuration: inout ChatDevServerConfiguration) async throws {
        let (token, text) = try OperatorToken.random()
        configuration.operatorToken = token
        configuration.cannedAnswers = try CannedAnswers(file: "faq.json")
        // After the start: address.desk is the URL, and `text` is what the operator types.
    }
}
