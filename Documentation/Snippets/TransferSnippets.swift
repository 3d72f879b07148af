import Foundation
import HTTPTypes
import HoldfastTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Transport/HoldfastTransport/Documentation.docc/Transfers.md.
struct TransferSnippets {
    actor TokenStore {
        var token: ResumeToken?
        func save(_ token: ResumeToken) { self.token = token }
    }

    func sample1(configuration: TransportConfiguration, request: HTTPRequest, path: String, sum: Checksum, store: TokenStore) async throws {
        let client = HTTPClient(configuration: configuration)

        let file = try await client.download(request, to: "/var/lib/app/map.bin", options: DownloadOptions(checksum: sum))

        let answer = try await client.upload(request, from: path, options: UploadOptions(digests: .representation))

        var options = ResumableUploadOptions(totalTimeout: .seconds(3600))
        options.onToken = { token in await store.save(token) }  // Codable
        let result = try await client.uploadResumably(request, from: path, resuming: store.token, options: options)
    }
}
