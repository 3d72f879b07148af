import Foundation
import HTTPTypes
import HoldfastTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Transport/HoldfastTransport/Documentation.docc/HTTP.md.
struct HTTPSnippets {
    func sample2(client: HTTPClient, request: HTTPRequest) async throws {
        let options = RequestOptions(idleTimeout: .seconds(10), totalTimeout: .seconds(60))   // for one request
        let answer = try await client.collect(request, upTo: 1 << 20, options: options)
    }
}
