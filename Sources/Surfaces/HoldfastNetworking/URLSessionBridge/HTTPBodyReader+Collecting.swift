#if canImport(FoundationNetworking)
import Foundation
import HoldfastTransport

extension HTTPBodyReader {
    /// All that is left of the body. Throws `responseTooLarge` where that is more than `limit` bytes.
    mutating func collect(upTo limit: Int) async throws -> Data {
        var data = Data()
        while let part = try await next() {
            guard part.count <= limit - data.count else {
                throw TransportError(.responseTooLarge, in: .receiving, "The body is larger than \(limit) bytes.")
            }
            data.append(contentsOf: part)
        }
        return data
    }
}
#endif
