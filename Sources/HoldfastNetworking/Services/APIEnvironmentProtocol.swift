public import Foundation

/// Where an API is.
public protocol APIEnvironmentProtocol: Sendable {
    /// The URL that paths are added to; `nil` where it is not configured.
    var _baseURL: URL? { get }
}

extension APIEnvironmentProtocol {
    /// The URL that paths are added to. Throws ``NetworkError/missingBaseURL`` where it is not configured.
    public var baseURL: URL {
        get throws(NetworkError) {
            guard let _baseURL else { throw .missingBaseURL }
            return _baseURL
        }
    }
}
